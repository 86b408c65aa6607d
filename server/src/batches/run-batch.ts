import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFile, type FilesDeps } from '../files/index.ts';
import { agentsAreModels, createKeyActor, findKeyRecord, isExpired, type KeyRecord } from '../identity/index.ts';
import { onceBack } from '../jobs/once-back.ts';
import { LeaseLost } from '../jobs/worker.ts';
import type { Actor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { RateLimits } from '../kernel/rate-limits.ts';
import { checkFile, readBatchLine } from './check-lines.ts';
import { finishBatch } from './finish.ts';
import { earlyEndOf, endEarly, endWithoutKey, type LiveBatch } from './live-batch.ts';
import {
  doneLines,
  failAtOnce,
  startLines,
  stopLines,
  storeCutUsage,
  storeOutcome,
  storeTryUsage,
} from './outcomes.ts';
import { createPace, isOwnLimit, isPassing, type Pace, type PaceDeps, pause, pauseAfter } from './pace.ts';
import { type FileLine, readLines } from './read-lines.ts';
import type { ClaimedBatch } from './record.ts';
import { type LineDeps, runLine } from './run-line.ts';

export interface RunBatchDeps extends FilesDeps {
  readonly lines: LineDeps;
  readonly defaultLimits: RateLimits;
  /** Where files lie while they are worked on. */
  readonly folder: string;
  readonly maxLines: number;
  readonly maxLineBytes: number;
  /** Lines of a batch that run at the same time. */
  readonly linesAtOnce: number;
  /** How long a line whose model is away or has too much to do is tried again, in milliseconds. */
  readonly patienceMs: number;
  readonly isBusy: PaceDeps['isBusy'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const fileGone = {
  why: 'failed',
  code: 'input_file_gone',
  message: 'The input file was deleted or has expired before all of its lines had run.',
} as const;

/** Who pays for a line, and what the key may be used for. */
export type Payer = Pick<KeyRecord, 'scopes' | 'agentModels'> & { readonly actor: Actor };

/** Who pays for a batch, within what the key may do now; null where it may not be used any more. */
async function payerOf({ db, defaultLimits }: RunBatchDeps, batch: ClaimedBatch): Promise<Payer | null> {
  const key = await findKeyRecord({ db }, batch.tenant_id, batch.key_id);
  if (key === null || !key.holderMayCall || isExpired(key, Date.now())) return null;
  if (!key.scopes.has(scopeOf(batch.endpoint))) return null;
  return { actor: createKeyActor(defaultLimits)(key), scopes: key.scopes, agentModels: agentsAreModels(key) };
}

/** What a key must be allowed for the lines of an endpoint. */
export const scopeOf = (endpoint: ClaimedBatch['endpoint']) => (endpoint === '/v1/embeddings' ? 'embeddings' : 'chat');

/** What the lines of one batch share. */
interface LinesRun {
  readonly live: LiveBatch;
  readonly pace: Pace;
  /** Aborted when no further try is to begin. */
  readonly begins: AbortSignal;
  /** Aborted when tries under way are to end. */
  readonly goesOn: AbortSignal;
}

/** Tries a line until it has an outcome that stays, and stores that. Rejects with the reason of a signal, or LeaseLost. */
async function runOne(deps: RunBatchDeps, run: LinesRun, line: FileLine): Promise<void> {
  const { live, pace, begins, goesOn } = run;
  const { batch, controller } = live;
  const read = readBatchLine(line, batch.endpoint);
  // The file was checked: it is not the one that it was.
  if ('fault' in read) throw new StudioError('internal', `Line ${line.number} of a checked file is wrong`);
  const beganMs = deps.now();
  for (let tries = 1; ; tries++) {
    await pace.untilFree(begins);
    const payer = await onceBack(() => payerOf(deps, batch), begins);
    if (payer === null) endWithoutKey(live);
    begins.throwIfAborted();
    if (payer === null) return;
    const name = `batch/${batch.id}/${line.number}`;
    const call = { ...payer, name, signal: goesOn, onRate: pace.noteRate };
    const { requestId, calls, outcome, error } = await runLine(deps.lines, batch.endpoint, read.request, call);
    if (outcome === null) {
      // Run again by another process, which counts it then; or never, and what it used is counted now.
      controller.signal.throwIfAborted();
      await storeCutUsage(deps.db, batch, { line: line.number, calls });
      calls.announce();
      throw goesOn.reason;
    }
    const isOwn = isOwnLimit(error);
    const isOver = !isOwn && deps.now() - beganMs >= deps.patienceMs;
    if (outcome.ok || !isPassing(error) || isOver) {
      const ended = { line: line.number, ...outcome, calls };
      // Also where the batch is to end: the line has.
      if (!(await onceBack(() => storeOutcome(deps.db, batch, ended), controller.signal))) throw new LeaseLost();
      return calls.announce();
    }
    const usage = calls.spent();
    if (usage) {
      await onceBack(() => storeTryUsage(deps.db, batch, { line: line.number, tryId: requestId, usage }), begins);
      usage.announce();
    }
    // When its own limits begin anew is known to the pace.
    if (!isOwn) await pause(pauseAfter(error, tries), begins);
  }
}

/** Runs the lines of a file that have not ended yet, a few at a time. Rejects with what ended them. */
async function runLines(deps: RunBatchDeps, live: LiveBatch, path: string): Promise<void> {
  const { batch, controller, ending, cut } = live;
  const done = await doneLines(deps.db, batch.id);
  const failed = new AbortController();
  const goesOn = AbortSignal.any([controller.signal, cut.signal, failed.signal]);
  const begins = AbortSignal.any([goesOn, ending.signal]);
  const run: LinesRun = { live, pace: createPace(deps), begins, goesOn };
  const running = new Set<Promise<void>>();
  const begin = (line: FileLine) => {
    const work: Promise<void> = runOne(deps, run, line)
      .catch((error: unknown) => {
        // Else it was told to end.
        if (!begins.aborted) failed.abort(error);
      })
      .finally(() => running.delete(work));
    running.add(work);
  };
  try {
    for await (const line of readLines(path, deps.maxLineBytes)) {
      if (done.has(line.number)) continue;
      await run.pace.untilFree(begins);
      begin(line);
      if (running.size >= deps.linesAtOnce) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  begins.throwIfAborted();
}

/** Looks at the whole file before its first line is run. Resolves with whether there is something to run. */
async function validate(deps: RunBatchDeps, { batch, controller }: LiveBatch, path: string): Promise<boolean> {
  const limits = { maxLines: deps.maxLines, maxLineBytes: deps.maxLineBytes };
  const { total, model, errors } = await checkFile(path, batch.endpoint, limits, controller.signal);
  const store = () =>
    errors.length > 0 ? failAtOnce(deps.db, batch, errors) : startLines(deps.db, batch, { total, model });
  if (!(await onceBack(store, controller.signal))) throw new LeaseLost();
  return errors.length === 0;
}

/** Brings the input file here. Resolves with false where it is gone. */
async function fetchInput(deps: RunBatchDeps, { batch, controller }: LiveBatch, path: string): Promise<boolean> {
  try {
    await onceBack(() => copyFile(deps, batch.tenant_id, batch.input_file_id, path), controller.signal);
    return true;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'not_found') return false;
    throw error;
  }
}

/**
 * Goes on with a batch from where it is: validates, runs lines, writes their results. Rejects where it is not this process's any more,
 * where the service stops, and with failures that nobody foresaw.
 */
export async function runBatch(deps: RunBatchDeps, live: LiveBatch): Promise<void> {
  const { batch, controller, ending } = live;
  const path = join(deps.folder, `batch-${batch.claim}`);
  try {
    const hasInput = await fetchInput(deps, live, path);
    if (batch.state === 'validating' || batch.state === 'in_progress') {
      if (!hasInput) endEarly(live, fileGone);
      else if (batch.state === 'validating' && !(await validate(deps, live, path))) return;
      await runLines(deps, live, path).catch((error: unknown) => {
        // Others are faults, save for the end that was asked for.
        if (controller.signal.aborted || !ending.signal.aborted) throw error;
      });
      controller.signal.throwIfAborted();
      const stop = () => stopLines(deps.db, batch, earlyEndOf(live));
      if (!(await onceBack(stop, controller.signal))) throw new LeaseLost();
    }
    await finishBatch(deps, batch, { path: hasInput ? path : null, signal: controller.signal });
  } finally {
    await rm(path, { force: true });
  }
}
