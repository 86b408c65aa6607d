import type { Sample } from '@ai-studio/contract/console/samples.ts';
import type { Language } from '@ai-studio/contract/console/session.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { archiveAgent, createAgent, deleteAgent, type LifecycleDeps, templateDefinition } from '../agents/index.ts';
import { type AuditedContext, writeAudit } from '../identity/index.ts';
import type { Principal } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import {
  countDocuments,
  createCollection,
  deleteCollection,
  type RetrievalDeps,
  uploadDocument,
} from '../retrieval/index.ts';
import { sampleDocuments } from './documents.ts';
import { sampleWords } from './words.ts';

/** What samples are made with. */
export interface SampleDeps {
  readonly agents: LifecycleDeps;
  readonly retrieval: RetrievalDeps;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

const personOf = ({ tenantId, userId }: Principal) => ({ tenantId, userId: userId ?? '' });

/** The sample of a person, as far as it is still there; null where there is none. */
export async function findSample({ db }: DatabaseDeps, actor: Principal): Promise<Sample | null> {
  const { tenantId, userId } = personOf(actor);
  const row = await db.query
    .selectFrom('samples')
    .innerJoin('agents', 'agents.id', 'samples.agent_id')
    .innerJoin('collections', 'collections.id', 'samples.collection_id')
    .select(['samples.agent_id', 'samples.collection_id'])
    .where('samples.tenant_id', '=', tenantId)
    .where('samples.user_id', '=', userId)
    .where('agents.archived_at', 'is', null)
    .where('collections.deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Documents of the sample, by way of files, as all uploads come. */
async function upload(
  { retrieval, folder }: SampleDeps,
  { actor }: AuditedContext,
  collectionId: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, 'sample-'));
  try {
    for (const [at, { name, text }] of sampleDocuments.entries()) {
      const path = join(own, String(at));
      const bytes = Buffer.from(text);
      await writeFile(path, bytes);
      await uploadDocument(retrieval, actor, collectionId, { path, name, bytes: bytes.length, fields: {} });
    }
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Time in which the documents of a sample can be found, unless the service has much else to read. */
const READ_WITHIN_MS = 20_000;
const POLL_MS = 150;

/** Resolves once the documents can be found: the first question is asked at once. */
async function waitUntilRead({ retrieval }: SampleDeps, { actor, signal }: AuditedContext, id: string): Promise<void> {
  const until = Date.now() + READ_WITHIN_MS;
  while (Date.now() < until && (await countDocuments(retrieval, actor, id)).open > 0)
    await setTimeout(POLL_MS, undefined, { signal });
}

/** What a person's sample was made of, also where part of it is gone; null where none was made. */
const storedSample = ({ db }: DatabaseDeps, { tenantId, userId }: ReturnType<typeof personOf>) =>
  db.query
    .selectFrom('samples')
    .select(['agent_id', 'collection_id'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Keeps a sample as the person's own, unless another call has kept one since `before` was read. Resolves with whether it did. */
async function keepSample(
  { db }: DatabaseDeps,
  { tenantId, userId }: ReturnType<typeof personOf>,
  made: Sample,
  before: Sample | undefined,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: kept = 0n } = await db.query
    .insertInto('samples')
    .values({ tenant_id: tenantId, user_id: userId, ...made })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet(made)
        // Of the one that is gone in part.
        .where('samples.agent_id', '=', before?.agent_id ?? '')
        .where('samples.collection_id', '=', before?.collection_id ?? ''),
    )
    .executeTakeFirstOrThrow();
  return kept > 0n;
}

/**
 * Makes the sample of a person: a collection and an agent over it. One that is there already is returned as it is; of two calls at one
 * time the one that is done first gives its own to both.
 */
export async function createSample(deps: SampleDeps, ctx: AuditedContext, language: Language): Promise<Sample> {
  const { actor } = ctx;
  const there = await findSample(deps.retrieval, actor);
  if (there !== null) return there;
  const before = await storedSample(deps.retrieval, personOf(actor));
  const words = sampleWords[language];
  const { collection_id: collectionId } = await createCollection(deps.retrieval, actor, {
    collection_name: words.collection,
    description: words.collectionHint,
    visibility: 'tenant',
  });
  await upload(deps, ctx, collectionId);
  const definition = await templateDefinition(deps.agents, actor, {
    template: 'knowledge_answer',
    language,
    collections: [collectionId],
  });
  const agentId = await createAgent(deps.agents, ctx, {
    name: words.agent,
    description: words.agentHint,
    leave_out: false,
    definition: {
      ...definition,
      nodes: definition.nodes.map((node) =>
        node.kind === 'input' ? { ...node, greeting: words.greeting, examples: [...words.examples] } : node,
      ),
    },
  });
  const made = { collection_id: collectionId, agent_id: agentId };
  if (!(await keepSample(deps.retrieval, personOf(actor), made, before))) {
    await deleteSample(deps, ctx, made);
    const other = await findSample(deps.retrieval, actor);
    if (other !== null) return other;
    throw new StudioError('conflict', 'The sample was removed while it was made');
  }
  await writeAudit(deps.retrieval.db.query, ctx.auditActor, {
    action: 'collection_created',
    target: { kind: 'collection', id: collectionId, name: words.collection },
    detail: { visibility: 'tenant' },
  });
  // It is there, whether or not somebody still waits for it.
  await waitUntilRead(deps, ctx, collectionId).catch((error: unknown) => {
    if (!ctx.signal.aborted) throw error;
  });
  return made;
}

/** What is gone already needs no removal. */
async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StudioError && error.code === 'not_found')) throw error;
  }
}

/** Deletes what a sample is made of. */
async function deleteSample(deps: SampleDeps, ctx: AuditedContext, sample: Sample): Promise<void> {
  await unlessGone(async () => {
    try {
      await archiveAgent(deps.agents, ctx, sample.agent_id);
    } catch (error) {
      if (!(error instanceof StudioError && error.reason === 'agent_archived')) throw error;
    }
    await deleteAgent(deps.agents, ctx, sample.agent_id);
  });
  await unlessGone(() =>
    deleteCollection(deps.retrieval, ctx.actor, sample.collection_id, (tx, name) =>
      writeAudit(tx, ctx.auditActor, {
        action: 'collection_removed',
        target: { kind: 'collection', id: sample.collection_id, name },
      }),
    ),
  );
}

/**
 * Removes the sample of a person, with what was asked of it. Errors: `not_found`; those of the agent, such as `forbidden`
 * (role_missing) where it is deployed.
 */
export async function removeSample(deps: SampleDeps, ctx: AuditedContext): Promise<void> {
  const { actor } = ctx;
  const { tenantId, userId } = personOf(actor);
  const { query } = deps.retrieval.db;
  const own = await storedSample(deps.retrieval, { tenantId, userId });
  if (own === undefined) throw new StudioError('not_found', 'There is no sample');
  await deleteSample(deps, ctx, own);
  await query.deleteFrom('samples').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute();
}
