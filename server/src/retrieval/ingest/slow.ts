import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';
import { type Job, noteWaiting, noWaiting } from './jobs.ts';

export interface SlowDeps {
  readonly db: Database;
  readonly log: Logger;
  /** How long an embedding model may think before that is told. */
  readonly slowMs: number;
}

/** Asks an embedding model, however long that takes: one that does not answer soon is told at the document until it does. */
export async function tellSlow<Result>(
  { db, log, slowMs }: SlowDeps,
  { job, model }: { readonly job: Job; readonly model: string },
  ask: () => Promise<Result>,
): Promise<Result> {
  const quietly = (change: Promise<void>) =>
    change.catch((error: unknown) => log.warn({ err: error }, 'a slow embedding model could not be told of'));
  const told: Promise<void>[] = [];
  const timer = setTimeout(() => {
    const seconds = Math.round(slowMs / 1000);
    const message = `The embedding model ${model} has not answered for ${seconds} seconds; it is waited for.`;
    told.push(quietly(noteWaiting(db, job, { code: 'EMBEDDING_SLOW', message })));
  }, slowMs);
  try {
    const result = await ask();
    await Promise.all(told);
    if (told.length > 0) await quietly(noWaiting(db, job));
    return result;
  } finally {
    clearTimeout(timer);
    await Promise.all(told);
  }
}
