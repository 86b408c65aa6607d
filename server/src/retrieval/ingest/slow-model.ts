import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';
import { type Job, recordWaiting, clearWaiting } from './jobs.ts';

export interface SlowModelDeps {
  readonly db: Database;
  readonly log: Logger;
  /** How long an embedding model may take before that is reported. */
  readonly slowMs: number;
}

/** Calls an embedding model without a time limit; one that is slow to answer is reported on the document until it does. */
export async function reportSlow<Result>(
  { db, log, slowMs }: SlowModelDeps,
  { job, model }: { readonly job: Job; readonly model: string },
  ask: () => Promise<Result>,
): Promise<Result> {
  const logFailure = (change: Promise<void>) =>
    change.catch((error: unknown) => log.warn({ err: error }, 'slow embedding model could not be reported'));
  const reports: Promise<void>[] = [];
  const timer = setTimeout(() => {
    const seconds = Math.round(slowMs / 1000);
    const message = `The embedding model ${model} has not answered for ${seconds} seconds; it is waited for.`;
    reports.push(logFailure(recordWaiting(db, job, { code: 'EMBEDDING_SLOW', message })));
  }, slowMs);
  try {
    const result = await ask();
    await Promise.all(reports);
    if (reports.length > 0) await logFailure(clearWaiting(db, job));
    return result;
  } finally {
    clearTimeout(timer);
    await Promise.all(reports);
  }
}
