import { sql } from 'kysely';
import { LeaseLost } from '../../jobs/worker.ts';
import { openModelCall } from '../call.ts';
import { type Embedding, embedByModel, isVectorOf, vectorModel } from '../embedding.ts';
import { packVector } from '../stored-vector.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { embeddedText } from '../texts/embedded-text.ts';
import type { ParseWarning } from '../tables.ts';
import { pathLengthFor, readableTokens } from './fitting-cut.ts';
import { advanceStage, type Job } from './jobs.ts';
import { reportSlow } from './slow-model.ts';
import { CUT, EMBEDDED, IngestRejected, ingestContext, type StageContext, type StageDeps, targetOf } from './stages.ts';

/** The first vectors say how long they are; all others must be as long. */
export async function fixDimension({ db }: StageDeps, job: Job, dimension: number): Promise<void> {
  const { numUpdatedRows } =
    job.kind === 'document'
      ? await db.query
          .updateTable('collections')
          .set({ embedding_dimension: dimension })
          .where('id', '=', job.collection_id)
          .where((eb) => eb.or([eb('embedding_dimension', 'is', null), eb('embedding_dimension', '=', dimension)]))
          .executeTakeFirstOrThrow()
      : await db.query
          .updateTable('collections')
          .set({ build: sql<string>`jsonb_set(build, '{dimension}', ${JSON.stringify(dimension)}::jsonb)` })
          .where('id', '=', job.collection_id)
          .where(sql<boolean>`coalesce((build->>'dimension')::integer, ${dimension}) = ${dimension}`)
          .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n)
    throw new IngestRejected(
      'EMBEDDING_DIMENSION',
      'The embedding model gives vectors of another length than the collection has.',
    );
}

const CUT_WARNING = 'embedding_cut';

/** Takes away what was told of passages that another embedding did not read whole. */
async function forgetCut({ db }: StageDeps, { document_id: id }: Job): Promise<void> {
  await sql`
    UPDATE documents SET warnings = coalesce(
      (SELECT jsonb_agg(one) FROM jsonb_array_elements(warnings) AS one WHERE one->>'code' <> ${CUT_WARNING}), '[]'::jsonb)
    WHERE id = ${id} AND warnings @> ${JSON.stringify([{ code: CUT_WARNING }])}::jsonb`.execute(db.query);
}

/** Tells at the document that passages are longer than the model reads, once. */
async function warnOfCut({ db }: StageDeps, { document_id: id }: Job, count: number): Promise<void> {
  if (count === 0) return;
  const warning: ParseWarning = {
    code: CUT_WARNING,
    message:
      'Passages are longer than the embedding model reads: by meaning they are found by their beginnings, by words whole. They were edited or carried over; reading the document anew (reindex) cuts them to what it reads, as would a smaller ingest_config.chunk_size or another ingest_config.embedding_model.',
  };
  await sql`
    UPDATE documents SET warnings = ${JSON.stringify([warning])}::jsonb || warnings
    WHERE id = ${id} AND NOT warnings @> ${JSON.stringify([{ code: CUT_WARNING }])}::jsonb`.execute(db.query);
}

/** Chunks that are embedded by one call. */
const EMBED_BATCH = 64;

/** Whether the chunks may be cut anew: not those that somebody edited, which a change of the model carries over as they are. */
async function mayCut({ db }: StageDeps, job: Job): Promise<boolean> {
  if (job.kind === 'document') return true;
  const row = await db.query
    .selectFrom('documents')
    .select('chunks_edited')
    .where('id', '=', job.document_id)
    .executeTakeFirst();
  return row?.chunks_edited === false;
}

interface ToEmbed {
  readonly tokens: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly content: string;
}

/** Keeps what was learnt of texts that were too long. */
export function learnLengths(
  { learned }: StageDeps,
  model: string,
  chunks: readonly ToEmbed[],
  texts: readonly string[],
  { truncated, tooLong }: Embedding,
): void {
  const lessons = truncated.map((at, i) => {
    const { tokens = 0, content = '' } = chunks[at] ?? {};
    const titles = (texts[at] ?? content).length - content.length;
    return { length: tooLong[i] ?? { given: null, limit: null }, tokens: tokens + Math.ceil(titles / 2) };
  });
  const ratioOf = ({ length, tokens }: (typeof lessons)[number]) => (length.given ?? 0) / Math.max(1, tokens);
  // Those of one call are one lesson: the text with the most tokens for its length.
  const [worst] = lessons.sort((a, b) => ratioOf(b) - ratioOf(a));
  if (worst) learned.note(model, worst.length, worst.tokens);
}

/**
 * Makes the vectors that are missing, a batch at a time: what is there is there after a crash too. Resolves with false where chunks are longer
 * than the model reads, so that the document is to be cut anew by what was learnt of it; with `mayRecut` false such chunks are embedded by their
 * beginnings, and the document says so.
 */
export async function embedAll(
  deps: StageDeps,
  { job, signal, onProgress }: StageContext,
  { mayRecut }: { readonly mayRecut: boolean },
): Promise<boolean> {
  const { db } = deps;
  const { embedding } = await targetOf(deps, job);
  const ctx = await ingestContext(deps, job, signal);
  if (embedding.model === LEXICAL_MODEL)
    openModelCall(deps, ctx, 'ingest').meter({ model: LEXICAL_MODEL, engine: null });
  else {
    const { count } = await db.query
      .selectFrom('chunks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('document_id', '=', job.document_id)
      .where('revision', '=', job.revision)
      .executeTakeFirstOrThrow();
    let known = embedding;
    const limit = await readableTokens(deps, openModelCall(deps, ctx, 'ingest', 'ingest'), embedding, deps.learned);
    for (let left = Number(count); ;) {
      const chunks = await db.query
        .selectFrom('chunks')
        .leftJoin('chunk_vectors', (join) =>
          join.onRef('chunk_vectors.row_id', '=', 'chunks.row_id').on(isVectorOf(known)),
        )
        .select(['chunks.row_id', 'title', 'headings', 'content', 'context', 'tokens'])
        .where('document_id', '=', job.document_id)
        .where('revision', '=', job.revision)
        .where('chunk_vectors.row_id', 'is', null)
        .orderBy('ord')
        .limit(EMBED_BATCH)
        .execute();
      if (chunks.length === 0) break;
      if (left === Number(count) && job.attempts <= 1) await forgetCut(deps, job);
      const call = openModelCall(deps, ctx, 'ingest', 'ingest');
      const how = { as: 'passage', truncate: true } as const;
      const texts = chunks.map((chunk) => embeddedText(chunk, pathLengthFor(limit)));
      const ask = () => embedByModel(deps, call, known, texts, how);
      const made = await reportSlow(deps, { job, model: known.model }, () => call.deferMetering(ask));
      if (made.truncated.length > 0 && mayRecut && (await mayCut(deps, job))) {
        learnLengths(deps, known.model, chunks, texts, made);
        if (!(await advanceStage(db.query, job, 'chunking'))) throw new LeaseLost();
        return false;
      }
      if (known.dimension === null) {
        const dimension = made.vectors[0]?.length ?? 0;
        await fixDimension(deps, job, dimension);
        known = { ...known, dimension };
      }
      await db.query
        .insertInto('chunk_vectors')
        .values(
          chunks.map(({ row_id }, at) => ({
            row_id,
            model: vectorModel(embedding),
            vector: packVector(made.vectors[at] ?? new Float32Array(), deps.storedVectors),
          })),
        )
        .onConflict((conflict) =>
          conflict
            .column('row_id')
            .doUpdateSet((eb) => ({ model: eb.ref('excluded.model'), vector: eb.ref('excluded.vector') })),
        )
        .execute();
      await warnOfCut(deps, job, made.truncated.length);
      left = Math.max(0, left - chunks.length);
      onProgress(CUT + (EMBEDDED - CUT) * (1 - left / Math.max(1, Number(count))));
    }
  }
  if (!(await advanceStage(db.query, job, 'indexing'))) throw new LeaseLost();
  return true;
}
