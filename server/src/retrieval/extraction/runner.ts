import { sql } from 'kysely';
import { onceBack } from '../../jobs/once-back.ts';
import { type JobRunner, type LiveTenantJob, openJobRunner } from '../../jobs/open-runner.ts';
import { LeaseLost } from '../../jobs/worker.ts';
import type { CallContext } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type ExtractSchema, readExtractSchema } from '../../parsing/index.ts';
import { isDatabaseUnavailable } from '../../ports/database.ts';
import { findCollection } from '../collections/rows.ts';
import type { ExtractionDeps } from './deps.ts';
import { storedFound } from './document-rows.ts';
import { lookThrough, type Outcome } from './look-through.ts';
import { payerOf } from './payer.ts';
import { type ClaimedExtraction, extractionJobs } from './run-rows.ts';

/** Channel of the bus: an extraction waits. */
export const EXTRACTIONS_CHANNEL = 'extraction_runs';

interface Live extends LiveTenantJob {
  readonly run: ClaimedExtraction;
}

/** Extractions of a tenant at the same time in this process: it is work that nobody waits for. */
const PER_TENANT = 1;
/** Documents of an extraction at the same time: rules take the processor, models are waited for. */
const atOnce = (model: string | null) => (model === null ? 1 : 3);
const POLL_MS = 5_000;
const HEARTBEAT_MS = 1_000;

const payerGone = ({ key_id: keyId }: ClaimedExtraction) =>
  new StudioError(
    'forbidden',
    keyId === null
      ? 'Whoever started the extraction may not do so any more'
      : 'The API key of the extraction was deleted, has expired, or may not be used any more',
  );

/** Starts the extraction worker. */
export async function startExtractions(deps: ExtractionDeps): Promise<JobRunner> {
  const { db, bus, log } = deps;

  /** Documents that are to be looked through next. */
  const nextOf = ({ id, model }: ClaimedExtraction) =>
    db.query
      .selectFrom('extraction_documents')
      .select(['ord', 'document_id'])
      .where('run_id', '=', id)
      .where('state', '=', 'waiting')
      .orderBy('ord')
      .limit(atOnce(model))
      .execute();

  /** Stores what became of a document with the progress, once. Throws LeaseLost. */
  const store = (run: ClaimedExtraction, ord: number, outcome: Outcome) =>
    db.transaction(async (tx) => {
      if (!(await extractionJobs.lock(tx, run))) throw new LeaseLost();
      const { numUpdatedRows } = await tx
        .updateTable('extraction_documents')
        .set(
          outcome.ok
            ? { state: 'done', found: storedFound(outcome.found) }
            : { state: 'failed', error_code: outcome.code, error_message: outcome.message },
        )
        .where('run_id', '=', run.id)
        .where('ord', '=', ord)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      // The document may have been deleted.
      if (numUpdatedRows === 0n) return;
      const column = outcome.ok ? 'done' : 'failed';
      // What gets on does not end the service: only processes that end without any document done in between count.
      await extractionJobs.update(tx, run, { [column]: sql`${sql.ref(column)} + 1`, attempts: 1 });
    });

  async function contextOf(run: ClaimedExtraction, signal: AbortSignal): Promise<CallContext> {
    const actor = await payerOf(deps, run);
    if (actor === null) throw payerGone(run);
    await findCollection(db.query, actor, run.collection_id);
    return { actor, requestId: `extraction-${run.id}`, signal, priority: 'batch' };
  }

  /** Looks through all that wait. */
  async function lookThroughAll({ run, controller: { signal } }: Live, schema: ExtractSchema): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOf(run);
      if (next.length === 0) return;
      const ctx = await contextOf(run, signal);
      const ended = await Promise.allSettled(
        next.map(async ({ ord, document_id: documentId }) => {
          const outcome = await lookThrough(deps, ctx, run, { documentId, schema });
          await onceBack(() => store(run, ord, outcome), signal);
        }),
      );
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    }
  }

  /** Ends it, with the numbers of the documents that are left. */
  const finish = ({ id, claim }: ClaimedExtraction) =>
    extractionJobs.update(
      db.query,
      { id, claim },
      {
        state: 'done',
        ended_at: sql`clock_timestamp()`,
        total: sql`(SELECT count(*) FROM extraction_documents WHERE run_id = ${id})`,
        done: sql`(SELECT count(*) FROM extraction_documents WHERE run_id = ${id} AND state = 'done')`,
        failed: sql`(SELECT count(*) FROM extraction_documents WHERE run_id = ${id} AND state = 'failed')`,
      },
    );

  async function work(one: Live): Promise<void> {
    const { run, controller } = one;
    const fail = (failure: string) =>
      extractionJobs.update(db.query, run, { state: 'failed', failure, ended_at: sql`clock_timestamp()` });
    if (extractionJobs.isExhausted(run)) return void (await fail('It ended the service several times'));
    try {
      await lookThroughAll(one, readExtractSchema(run.schema, { isKept: true }));
      await onceBack(() => finish(run), controller.signal);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      // The process that claims it next goes on from here.
      if (controller.signal.aborted || isDatabaseUnavailable(error))
        await onceBack(() => extractionJobs.release(db.query, run, { countsAttempt: false }), controller.signal);
      else {
        if (!(error instanceof StudioError)) log.error({ err: error }, 'extraction failed');
        await fail(error instanceof StudioError ? error.message : 'The extraction could not be made');
      }
    }
  }

  return openJobRunner<Live>({
    bus,
    log,
    channel: EXTRACTIONS_CHANNEL,
    name: 'extractions',
    perTenant: PER_TENANT,
    async claim(how) {
      const [run] = await extractionJobs.claim(db.query, 1, how);
      return run === undefined ? null : { run, controller: new AbortController() };
    },
    work,
    // One that was cancelled is not this process's any more.
    heartbeat: ({ run }) => extractionJobs.update(db.query, run),
    maintain: () => extractionJobs.takeUpAbandoned(db.query),
    pollMs: POLL_MS,
    heartbeatMs: HEARTBEAT_MS,
  });
}
