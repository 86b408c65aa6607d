import {
  type Extraction,
  type ExtractionDocuments,
  type ExtractionFilter,
  maxExtractedDocuments,
  type NewExtraction,
} from '@ai-studio/contract/retrieval/extraction.ts';
import { sql } from 'kysely';
import { requireModel } from '../../inference/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import { readExtractSchema } from '../../parsing/index.ts';
import { findOwnCollection, type Query } from '../collections/rows.ts';
import { createCollectionRuns } from '../collections/runs.ts';
import { isId, likeText } from '../visibility.ts';
import { csvDocument, csvHead } from './csv.ts';
import type { ExtractionDeps } from './deps.ts';
import { documentColumns, documentRecord } from './document-rows.ts';
import { extractionRecord, recordColumns } from './run-rows.ts';
import { EXTRACTIONS_CHANNEL } from './runner.ts';

/** Extractions of a collection that are kept after their end. */
const MAX_KEPT = 20;
/** Extractions of a tenant that wait or run at the same time. */
const MAX_OPEN = 10;
/** As of POST /v1/document/extract. */
const MAX_SCHEMA_LENGTH = 100_000;
/** Documents that are read from the database at once for a file. */
const FILE_PART = 20;

/** An extraction that is asked for, and the name of whoever asks. */
interface Asked extends NewExtraction {
  readonly by: string;
}

/** Extractions from collections; any process makes them. */
export interface Extractions {
  /** Those of a collection, the newest first. Throws StudioError `not_found`. */
  list(actor: Actor, collectionId: string): Promise<{ items: Extraction[] }>;
  /** Throws StudioError `not_found`. */
  read(actor: Actor, collectionId: string, id: string): Promise<Extraction>;
  /** What was found, document by document. Throws StudioError `not_found`. */
  documents(
    actor: Actor,
    collectionId: string,
    id: string,
    part: { readonly size: number; readonly from: number },
  ): Promise<ExtractionDocuments>;
  /** What was found as CSV, in pieces. Rejects with StudioError `not_found` before the first. */
  file(actor: Actor, collectionId: string, id: string, places: boolean): Promise<AsyncGenerator<string, void, void>>;
  /**
   * Begins one. Throws StudioError `not_found`, `forbidden`, `invalid_request` for a schema or a model that is not understood, `conflict`
   * where no document or too many are meant, or too many extractions are under way.
   */
  start(actor: Actor, collectionId: string, asked: Asked): Promise<Extraction>;
  /** Ends one that is under way; what was found stays. Throws StudioError `not_found`, `forbidden`. */
  cancel(actor: Actor, collectionId: string, id: string): Promise<Extraction>;
  /** Removes one with what was found; ends it. Throws StudioError `not_found`, `forbidden`. */
  remove(actor: Actor, collectionId: string, id: string): Promise<void>;
}

/** Documents of a collection that a filter means. */
const meant = (query: Query, collectionId: string, { name, document_ids: ids, metadata }: ExtractionFilter) =>
  query
    .selectFrom('documents')
    .where('collection_id', '=', collectionId)
    .where('state', '<>', 'arriving')
    .$if(name !== undefined, (some) => some.where('name', 'ilike', likeText((name ?? '').normalize('NFC'))))
    .$if(ids !== undefined, (some) => some.where('id', 'in', (ids ?? []).filter(isId).concat('')))
    .$if(metadata !== undefined, (some) => some.where(sql<boolean>`metadata @> ${JSON.stringify(metadata)}::jsonb`));

const conflict = (message: string, reason: 'no_documents' | 'too_many_documents' | 'too_many_extractions', limit = 0) =>
  new StudioError('conflict', message, { reason, values: { limit } });

/** The verbs of extractions. */
export function createExtractions(deps: ExtractionDeps): Extractions {
  const { db, catalogue } = deps;
  const runs = createCollectionRuns(deps, {
    table: 'extraction_runs',
    columns: recordColumns,
    noun: 'extraction',
    channel: EXTRACTIONS_CHANNEL,
    kept: MAX_KEPT,
    open: MAX_OPEN,
  });

  const read = async (actor: Actor, collectionId: string, id: string) =>
    extractionRecord(await runs.find(actor, collectionId, id));

  const partOf = (id: string, { size, from }: { readonly size: number; readonly from: number }) =>
    db.query
      .selectFrom('extraction_documents')
      .select(documentColumns)
      .where('run_id', '=', id)
      .orderBy('ord')
      .limit(size)
      .offset(from)
      .execute();

  async function* linesOf(extraction: Extraction, places: boolean): AsyncGenerator<string, void, void> {
    yield csvHead(extraction, places);
    let after = -1;
    for (;;) {
      const rows = await db.query
        .selectFrom('extraction_documents')
        .select(documentColumns)
        .where('run_id', '=', extraction.extraction_id)
        .where('ord', '>', after)
        .orderBy('ord')
        .limit(FILE_PART)
        .execute();
      if (rows.length === 0) return;
      after = rows.at(-1)?.ord ?? after;
      yield rows.map((row) => csvDocument(extraction, documentRecord(row), places)).join('');
    }
  }

  return {
    list: async (actor, collectionId) => ({ items: (await runs.list(actor, collectionId)).map(extractionRecord) }),
    read,
    async documents(actor, collectionId, id, part) {
      await runs.find(actor, collectionId, id);
      const rows = await partOf(id, part);
      const { total } = await db.query
        .selectFrom('extraction_documents')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('run_id', '=', id)
        .executeTakeFirstOrThrow();
      return { items: rows.map(documentRecord), total: Number(total), ...part };
    },
    async file(actor, collectionId, id, places) {
      return linesOf(await read(actor, collectionId, id), places);
    },
    async start(actor, collectionId, { by, schema, model, instructions = '', filter = {} }) {
      const collection = await findOwnCollection(db.query, actor, collectionId);
      const text = JSON.stringify(schema);
      if (text.length > MAX_SCHEMA_LENGTH)
        throw invalidRequest(`schema: it is longer than ${MAX_SCHEMA_LENGTH} characters`, 'schema');
      readExtractSchema(text);
      if (model !== undefined) requireModel(catalogue, 'chat', actor.allowedModels, model);
      const row = await db.transaction(async (tx) => {
        const { tenant_id: tenantId } = collection;
        // One after the other, so that they do not become too many together.
        await tx.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute();
        const { open } = await tx
          .selectFrom('extraction_runs')
          .select(({ fn }) => fn.countAll<number>().as('open'))
          .where('tenant_id', '=', tenantId)
          .where('state', '=', 'running')
          .executeTakeFirstOrThrow();
        if (Number(open) >= MAX_OPEN)
          throw conflict(
            `${MAX_OPEN} extractions of your tenant are under way; wait for one of them`,
            'too_many_extractions',
            MAX_OPEN,
          );
        const documents = await meant(tx, collectionId, filter)
          .select(['id', 'name'])
          .orderBy('number')
          .limit(maxExtractedDocuments + 1)
          .execute();
        if (documents.length === 0) throw conflict('No document of the collection is meant', 'no_documents');
        if (documents.length > maxExtractedDocuments)
          throw conflict(
            `More than ${maxExtractedDocuments} documents are meant; narrow the filter`,
            'too_many_documents',
            maxExtractedDocuments,
          );
        const run = await tx
          .insertInto('extraction_runs')
          .values({
            id: hexId(),
            tenant_id: tenantId,
            collection_id: collectionId,
            schema: text,
            model: model ?? null,
            instructions,
            filter: JSON.stringify(filter),
            total: documents.length,
            made_by: by,
            key_id: actor.keyId,
            user_id: actor.userId,
            administers: actor.rights.has('collections.all'),
          })
          .returning(recordColumns)
          .executeTakeFirstOrThrow();
        // Those that were deleted this moment are left out; by their ids, in the order of locks.
        await sql`
          INSERT INTO extraction_documents (run_id, ord, document_id, name)
          SELECT ${run.id}, asked.ord, documents.id, documents.name
          FROM unnest(${documents.map(({ id }) => id)}::text[]) WITH ORDINALITY AS asked (id, ord)
          JOIN documents ON documents.id = asked.id ORDER BY documents.id FOR KEY SHARE OF documents`.execute(tx);
        await runs.removeOldest(tx, collectionId);
        return run;
      });
      await runs.announce();
      return extractionRecord(row);
    },
    async cancel(actor, collectionId, id) {
      await runs.findOwn(actor, collectionId, id);
      // Whoever makes it finds out with its next heartbeat.
      await db.query
        .updateTable('extraction_runs')
        .set({ state: 'cancelled', ended_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute();
      return read(actor, collectionId, id);
    },
    remove: runs.remove,
  };
}
