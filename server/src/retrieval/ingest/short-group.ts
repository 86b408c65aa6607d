import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { unlimitedActor } from '../../kernel/actor.ts';
import { openModelCall } from '../call.ts';
import { type CollectionRow, embeddingOf } from '../collections/rows.ts';
import { originalKey } from '../documents/rows.ts';
import { duplicateReason, duplicateWarning, noteSignature } from '../duplicates/note.ts';
import type { EmbeddingChoice } from '../embedding.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { embeddedText } from '../texts/embedded-text.ts';
import type { ReadResult } from '../texts/tasks.ts';
import { indexRowsOf } from '../writing/rows.ts';
import { afterSeconds, ensureTable, findActiveCollection } from '../writing/table.ts';
import { fixDimension, learnLengths } from './embed-stage.ts';
import { type CallLimit, embedTogether } from './embed-together.ts';
import { capFor, pathLengthFor, readableTokens } from './fitting-cut.ts';
import { failJob, type Job, requeue } from './jobs.ts';
import { publishGroup } from './publish-group.ts';
import type { ReadyText, ShortDocument } from './ready-text.ts';
import { ingestContext, rowOf, type StageDeps } from './stages.ts';

// Short texts are taken in many at a time: read and cut by a few tasks of threads, embedded by calls that they share, put into the index by one
// commit and made visible by one transaction. What goes wrong with the whole is tried again one by one, as longer documents are.

export interface GroupDeps extends StageDeps {
  readonly callLimit: CallLimit;
}

/** Files that are fetched at the same time, and texts that are read or analysed by one task. */
const FETCHED_AT_ONCE = 16;
const TEXTS_OF_TASK = 16;
/** Documents of a collection that has gone wait so long to go as well. */
export const GONE_SECONDS = 1;
/** When rows that never became visible are removed. */
const ORPHAN_SECONDS = 600;

interface Given {
  readonly job: Job;
  readonly document: ShortDocument;
}

const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

async function documentsOf({ db }: StageDeps, jobs: readonly Job[]): Promise<Given[]> {
  const rows = await db.query
    .selectFrom('documents')
    .select([
      'id',
      'name',
      'created_at',
      'metadata',
      'indexed_fields',
      'readers',
      'edits',
      'revision',
      'key_id',
      'user_id',
    ])
    .where(
      'id',
      'in',
      jobs.map(({ document_id: id }) => id),
    )
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return jobs.flatMap((job) => {
    const document = byId.get(job.document_id);
    return document === undefined ? [] : [{ job, document }];
  });
}

interface ReadOne {
  readonly given: Given;
  readonly result: Extract<ReadResult, { failed: null }>;
}

/** Notes which say the same as others, where their collection asks for it; those that are not to be taken in have failed. */
async function leaveOutDuplicates({ db }: StageDeps, read: readonly ReadOne[]): Promise<readonly ReadOne[]> {
  const { duplicates = 'keep' } = read[0]?.given.job.ingest_config ?? {};
  if (duplicates === 'keep') return read;
  const kept: ReadOne[] = [];
  for (const one of read) {
    const { job } = one.given;
    const { document_id: documentId, collection_id: collectionId } = job;
    const { signature } = one.result;
    const found = await db.transaction(async (tx) => {
      if (signature === null) return null;
      const same = await noteSignature(tx, { collectionId, documentId }, signature);
      if (duplicates === 'mark')
        await tx
          .updateTable('documents')
          .set({ duplicate_of: same?.id ?? null })
          .where('id', '=', documentId)
          .execute();
      return same;
    });
    if (found !== null && duplicates === 'skip') await failJob(db, job, duplicateReason(found));
    else if (found === null) kept.push(one);
    else kept.push({ ...one, result: { ...one.result, warnings: [duplicateWarning(found), ...one.result.warnings] } });
  }
  return kept;
}

/** Reads and cuts; what cannot be read has failed. */
async function readAll(
  deps: StageDeps,
  given: readonly Given[],
  { embedding, signal }: { readonly embedding: EmbeddingChoice; readonly signal: AbortSignal },
) {
  const { blobs, texts, learned, limits } = deps;
  const [first] = given;
  if (first === undefined) return { read: [] as ReadOne[], pathLength: 0 };
  const call = openModelCall(deps, await ingestContext(deps, first.job, signal), 'ingest', 'ingest');
  const readable = await readableTokens(deps, call, embedding, learned);
  const cap = readable === null ? null : capFor(readable, embedding, learned.of(embedding.model).ratio);
  const files: { name: string; bytes: Uint8Array | null }[] = [];
  for (const part of partsOf(given, FETCHED_AT_ONCE))
    files.push(
      ...(await Promise.all(
        part.map(async ({ job, document: { id, name } }) => {
          const stored = await blobs.get(originalKey({ id, tenantId: job.tenant_id }));
          return { name, bytes: stored === null ? null : await buffer(stored) };
        }),
      )),
    );
  const results = await Promise.all(
    partsOf(files, TEXTS_OF_TASK).map((part) =>
      texts.do(
        {
          type: 'read',
          files: part.map(({ name, bytes }) => ({ name, bytes: bytes ?? new Uint8Array() })),
          how: first.job.ingest_config,
          cap,
          limits,
        },
        { signal },
      ),
    ),
  );
  const read: ReadOne[] = [];
  for (const [at, result] of results.flat().entries()) {
    const one = given[at];
    if (one === undefined) continue;
    if (files[at]?.bytes === null)
      await failJob(deps.db, one.job, {
        code: 'FILE_LOST',
        message: 'The file of the document is not there any more.',
      });
    else if (result.failed !== null) {
      // Another format in the name of a text is read as any file of it.
      if (result.failed.code === 'UNSUPPORTED') await alone(deps, one.job);
      else await failJob(deps.db, one.job, result.failed);
    } else if (result.chunks.length === 0)
      await failJob(deps.db, one.job, { code: 'EMPTY', message: 'No text was found in the document.' });
    else read.push({ given: one, result });
  }
  return { read, pathLength: pathLengthFor(readable) };
}

/** Leaves a document to those that are taken in one by one. */
const alone = ({ db }: StageDeps, job: Job) => requeue(db, job, { reason: null, afterSeconds: 0, counts: true });

/** Makes the vectors of all, by the uploader for whom they are metered. Documents with chunks that are too long are left to be cut anew. */
async function embedGroup(
  deps: GroupDeps,
  texts: readonly ReadyText[],
  {
    embedding,
    pathLength,
    signal,
  }: {
    readonly embedding: EmbeddingChoice;
    readonly pathLength: number;
    readonly signal: AbortSignal;
  },
): Promise<ReadyText[]> {
  const embedded: ReadyText[] = [];
  const byUploader = Map.groupBy(texts, ({ document: { key_id: key, user_id: user } }) => JSON.stringify([key, user]));
  for (const group of byUploader.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { tenant_id: tenantId, claim } = first.job;
    const actor = unlimitedActor({ tenantId, keyId: first.document.key_id, userId: first.document.user_id });
    const ctx = { actor, requestId: `ingest-${claim}`, signal };
    if (embedding.model === LEXICAL_MODEL) {
      for (const one of group) {
        openModelCall(deps, ctx, 'ingest').meter({ model: LEXICAL_MODEL, engine: null });
        embedded.push(one);
      }
      continue;
    }
    const chunks = group.flatMap(({ result }) => result.chunks);
    const passages = chunks.map((chunk) => embeddedText(chunk, pathLength));
    const made = await embedTogether(deps, ctx, embedding, passages, deps.callLimit);
    learnLengths(deps, embedding.model, chunks, passages, made);
    if (embedding.dimension === null) await fixDimension(deps, first.job, made.vectors[0]?.length ?? 0);
    const cut = new Set(made.truncated);
    let from = 0;
    for (const one of group) {
      const count = one.result.chunks.length;
      const places = Array.from({ length: count }, (_, at) => from + at);
      if (places.some((place) => cut.has(place))) await alone(deps, one.job);
      else embedded.push({ ...one, vectors: made.vectors.slice(from, from + count) });
      from += count;
    }
  }
  return embedded;
}

/** All short texts of one collection. */
async function takeInOf(
  deps: GroupDeps,
  collection: CollectionRow,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<void> {
  const { db, index } = deps;
  const embedding = embeddingOf(collection);
  const { index_table: table } = collection;
  const all = await documentsOf(deps, jobs);
  // One that was there before is made anew with more care than is taken here.
  const isAlone = ({ job, document }: Given) => document.revision !== null || job.ingest_config.context_model != null;
  const fresh = all.filter((one) => !isAlone(one));
  for (const one of all) if (isAlone(one)) await alone(deps, one.job);
  const { read: found, pathLength } = await readAll(deps, fresh, { embedding, signal });
  const read = await leaveOutDuplicates(deps, found);
  const texts = read.map(({ given: { job, document }, result }): ReadyText => ({
    job,
    document,
    result,
    rows: result.chunks.map((chunk, at) => rowOf(job, chunk, at)),
    vectors: null,
  }));
  const ready = await embedGroup(deps, texts, { embedding, pathLength, signal });
  if (ready.length === 0) return;
  const toIndex = ready.map(({ job, document, rows, vectors, result }) => ({
    document: { ...document, indexed_fields: [...document.indexed_fields, ...job.ingest_config.indexed_fields] },
    chunks: rows.map((row, at) => ({
      ...row,
      headings: [...(result.chunks[at]?.headings ?? [])],
      vector: vectors?.[at] ?? null,
    })),
  }));
  const analysed = await Promise.all(
    partsOf(toIndex, TEXTS_OF_TASK).map((part) => indexRowsOf(deps, part, { signal })),
  );
  const rows = analysed.flat();
  signal.throwIfAborted();
  // Written down before: rows that never become visible are removed, also after a crash.
  const removal = await db.query
    .insertInto('retrieval_removals')
    .values({
      kind: 'rows',
      index_table: table,
      row_ids: rows.map(({ rowId }) => rowId),
      not_before: afterSeconds(ORPHAN_SECONDS),
    })
    .returning(['id', sql<string>`not_before::text`.as('due')])
    .executeTakeFirstOrThrow();
  await ensureTable(deps, collection, rows[0]?.vector.length ?? 0);
  await index.add(table, rows);
  const left = await publishGroup(deps, { collectionId: collection.id, table, texts: ready, removal });
  for (const job of left) await alone(deps, job);
}

/**
 * Takes short texts in, those of a collection together. Throws what the first collection that failed did: the jobs that are still of this process
 * are tried again one by one.
 */
export async function takeInShort(deps: GroupDeps, jobs: readonly Job[], signal: AbortSignal): Promise<void> {
  const groups = Map.groupBy(jobs, (job) => JSON.stringify([job.collection_id, job.ingest_config]));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const collection = await findActiveCollection(deps.db.query, first.collection_id);
    if (collection !== null) await takeInOf(deps, collection, group, signal);
    // The others of the claim are taken in all the same.
    else
      for (const job of group) await requeue(deps.db, job, { reason: null, afterSeconds: GONE_SECONDS, counts: false });
  }
}
