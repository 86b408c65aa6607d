import { runJobs } from '../../src/agents/runs/claims.ts';
import { batchJobs } from '../../src/batches/record.ts';
import { connectorJobs } from '../../src/connectors/run-rows.ts';
import type { ClaimedJob, Query } from '../../src/jobs/job-table.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { parseJobs } from '../../src/parsing/jobs/record.ts';
import { evaluationJobs } from '../../src/retrieval/evaluation/run-rows.ts';
import { extractionJobs } from '../../src/retrieval/extraction/run-rows.ts';
import { ingestJobs } from '../../src/retrieval/ingest/jobs.ts';
import { insertCollection, insertIngestJob } from '../support/ingest-jobs.ts';
import { jobTableConformance } from './job-table.ts';

const idOf = ({ id }: { readonly id: string }) => id;
const LEASE_SECONDS = 15;

jobTableConformance<ClaimedJob<typeof runJobs>>(
  {
    jobs: runJobs,
    table: 'agent_runs',
    idOf,
    turns: 'within a claim',
    async prepare(query, tenantId) {
      const agent = { agent_id: hexId(), tenant_id: tenantId };
      await query
        .insertInto('agents')
        .values({ id: agent.agent_id, tenant_id: tenantId, slug: 'a', name: 'a', draft: '{}', created_by: 'ada' })
        .execute();
      const { id: session } = await query
        .insertInto('agent_sessions')
        .values({ ...agent, context_id: hexId(), type: 'api' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return async () => {
        const id = hexId();
        await query
          .insertInto('agent_runs')
          .values({ ...agent, id, session_id: session, definition: '{}', input: '{}' })
          .execute();
        return id;
      };
    },
    end: (query, run) => runJobs.update(query, run, { state: 'completed', claim: null }),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof ingestJobs>>(
  {
    jobs: ingestJobs,
    table: 'ingest_jobs',
    idOf: ({ document_id: id }) => id,
    turns: 'between claims',
    async prepare(query, tenantId) {
      const collectionId = await insertCollection(query, tenantId);
      return () => insertIngestJob(query, { tenantId, collectionId });
    },
    makeDue: (query) =>
      query
        .updateTable('ingest_jobs')
        .set({ not_before: new Date(0) })
        .execute(),
    end: (query, { document_id: id }) => query.deleteFrom('ingest_jobs').where('document_id', '=', id).execute(),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof parseJobs>>(
  {
    jobs: parseJobs,
    table: 'document_parses',
    idOf,
    turns: 'between claims',
    prepare: async (query: Query, tenantId: TenantId) => async () => {
      const id = hexId();
      const document = { id, tenant_id: tenantId, key_id: null, name: null, size: 1, fields: '{}' };
      await query
        .insertInto('document_parses')
        .values({ ...document, state: 'queued' })
        .execute();
      return id;
    },
    end: (query, parse) => parseJobs.update(query, parse, { state: 'done', claim: null }),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof evaluationJobs>>(
  {
    jobs: evaluationJobs,
    table: 'evaluation_runs',
    idOf,
    turns: 'between claims',
    async prepare(query, tenantId) {
      const collectionId = await insertCollection(query, tenantId);
      const run = { collection_id: collectionId, tenant_id: tenantId, total: 1, failure: null, made_by: 'Kim' };
      return async () => {
        const id = hexId();
        await query
          .insertInto('evaluation_runs')
          .values({ ...run, id, settings: '[]', questions: '[]', asked_for: '{}', claim: null })
          .execute();
        return id;
      };
    },
    // Its last claim stays.
    end: (query, run) => evaluationJobs.update(query, run, { state: 'done' }),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof extractionJobs>>(
  {
    jobs: extractionJobs,
    table: 'extraction_runs',
    idOf,
    turns: 'between claims',
    async prepare(query, tenantId) {
      const run = { collection_id: await insertCollection(query, tenantId), tenant_id: tenantId, total: 1 };
      const asked = { schema: '{}', model: null, instructions: '', filter: '{}', made_by: 'Kim', administers: false };
      return async () => {
        const id = hexId();
        await query
          .insertInto('extraction_runs')
          .values({ ...run, ...asked, id, key_id: null, user_id: null })
          .execute();
        return id;
      };
    },
    // Its last claim stays.
    end: (query, run) => extractionJobs.update(query, run, { state: 'done' }),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof connectorJobs>>(
  {
    jobs: connectorJobs,
    table: 'connector_runs',
    idOf,
    turns: 'between claims',
    async prepare(query, tenantId) {
      const settings = JSON.stringify({ kind: 'folder', path: '/x' });
      const source = { tenant_id: tenantId, collection_id: await insertCollection(query, tenantId), settings };
      const owner = { key_id: null, user_id: 'ada' };
      const rest = { name: 'x', secrets: null, every_minutes: null, max_documents: 1 };
      // A connector has one open run at most.
      return async () => {
        const [id, connectorId] = [hexId(), hexId()];
        await query
          .insertInto('connectors')
          .values({ ...source, ...owner, ...rest, id: connectorId })
          .execute();
        await query
          .insertInto('connector_runs')
          .values({ id, tenant_id: tenantId, connector_id: connectorId, dry: false, removes_all: false })
          .execute();
        return id;
      };
    },
    end: (query, run) => connectorJobs.update(query, run, { state: 'done' }),
  },
  LEASE_SECONDS,
);

jobTableConformance<ClaimedJob<typeof batchJobs>>(
  {
    jobs: batchJobs,
    table: 'batches',
    idOf,
    turns: 'between claims',
    prepare: async (query: Query, tenantId: TenantId) => async () => {
      const id = hexId();
      const what = { endpoint: '/v1/embeddings', input_file_id: 'file', completion_window: '24h' } as const;
      const batch = { id, tenant_id: tenantId, key_id: 'k', output_seconds: 1, expires_at: new Date() };
      await query
        .insertInto('batches')
        .values({ ...batch, ...what })
        .execute();
      return id;
    },
    end: (query, batch) => batchJobs.update(query, batch, { state: 'completed', claim: null }),
  },
  LEASE_SECONDS,
);
