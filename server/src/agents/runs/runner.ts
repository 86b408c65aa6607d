import type { Logger } from '../../kernel/log.ts';
import type { Bus } from '../../ports/bus.ts';
import { beat, claimRuns, LEASE_SECONDS, MOST_ATTEMPTS, putBack } from './claims.ts';
import { RunEnding } from './execution.ts';
import { type LeftRuns, leftStates } from './figures.ts';
import type { Hub } from './hub.ts';
import type { ClaimedRun } from './rows.ts';
import { LostRun, RunLog } from './run-log.ts';
import { readBefore, runOne, type RunOneDeps } from './run-one.ts';
import { createWriter } from './writer.ts';

/** Channel of the bus: runs wait to be run. */
export const WAKE_CHANNEL = 'agent_runs';
/** Channel of the bus: events of runs were written. */
export const WRITTEN_CHANNEL = 'agent_runs_written';
/** Channel of the bus: the run of this id is not wanted any more. */
export const CANCEL_CHANNEL = 'agent_runs_canceled';

export interface RunnerDeps extends RunOneDeps {
  readonly bus: Bus;
  readonly hub: Hub;
  readonly log: Logger;
  /** Runs that this process runs at the same time. */
  readonly size: number;
  readonly leaseSeconds?: number;
  readonly pollMs?: number;
  readonly beatMs?: number;
}

/** What runs runs, in one process of several. */
export interface Runner {
  /** Keeps a place for a run that is being stored; null where there is none. It is used by `begin`, or given back. */
  reserve(): (() => void) | null;
  /** Runs that this process has let go since its start. */
  left(): LeftRuns;
  /** Runs a run that was stored with its claim. */
  begin(row: ClaimedRun): void;
  /** Takes up what waits. */
  look(): void;
  /** Ends a run; resolves with whether it is of this process, once it has ended. */
  cancel(runId: string): Promise<boolean>;
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Live {
  readonly row: ClaimedRun;
  readonly end: AbortController;
  readonly done: Promise<void>;
}

const POLL_MS = 3_000;
const BEAT_MS = 2_000;
/** Runs that are taken up at once: meanwhile there is room for those that begin here. */
const MOST_TAKEN = 16;
/** Ids of runs in one message of the bus. */
const MOST_TOLD = 100;
/** Other processes are told of what was written this often. */
const TELL_MS = 50;
/** Longest time of a timer of JavaScript. */
const LONGEST_TIMER_MS = 2_147_483_647;

const stopping = () => new RunEnding('closing', 'the service is stopping');
const canceled = () => new RunEnding('canceled', 'the run was canceled');

export function createRunner(deps: RunnerDeps): Runner {
  const { db, bus, hub, log: logger, size } = deps;
  const { leaseSeconds = LEASE_SECONDS, pollMs = POLL_MS, beatMs = BEAT_MS } = deps;
  const live = new Map<string, Live>();
  const ends: (() => Promise<void> | void)[] = [];
  let closing = false;
  let opened = false;
  /** Places that are kept for runs that are being stored. */
  let reserved = 0;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const tell = (channel: string, payload: unknown) =>
    bus
      .publish(channel, payload)
      .catch((error: unknown) => logger.debug({ err: error }, 'other processes could not be told of runs of agents'));

  const left: { -readonly [S in keyof LeftRuns]: number } = {
    completed: 0,
    failed: 0,
    canceled: 0,
    'input-required': 0,
  };
  /** Runs of which other processes have not heard what was written. */
  const written = new Set<string>();
  let telling: NodeJS.Timeout | null = null;
  function tellWritten(): void {
    if (telling !== null) clearTimeout(telling);
    telling = null;
    const ids = [...written];
    written.clear();
    for (let at = 0; at < ids.length; at += MOST_TOLD) void tell(WRITTEN_CHANNEL, ids.slice(at, at + MOST_TOLD));
  }

  const writer = createWriter({
    db,
    log: logger,
    onWritten: ({ id }, { events, change }) => {
      hub.tell(id, events);
      const state = change?.over ? leftStates.find((one) => one === change.state) : undefined;
      if (state !== undefined) left[state]++;
    },
    onCommit(logs) {
      for (const { id } of logs) written.add(id);
      telling ??= setTimeout(tellWritten, TELL_MS).unref();
    },
    onLost: ({ id, claim }) => {
      const one = live.get(id);
      if (one?.row.claim === claim) one.end.abort(new LostRun());
    },
  });

  /** A run that was taken up again and again, and never got further. */
  async function giveUp(log: RunLog): Promise<void> {
    const failure = {
      code: 'internal',
      message: 'The run ended the service several times and was given up',
      node: null,
    };
    log.change({ state: 'failed', failure, over: { citations: [], ended: true } });
    await log.written();
  }

  async function work(row: ClaimedRun, end: AbortController): Promise<void> {
    const before = await readBefore(db, row);
    const log = new RunLog(writer, {
      id: row.id,
      claim: row.claim,
      lastSeq: row.last_seq,
      answer: before.answer,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      spentMs: Number(row.spent_ms),
    });
    if (row.attempts > MOST_ATTEMPTS) return giveUp(log);
    if (row.cancel_requested) end.abort(canceled());
    const leftMs = Math.max(1, row.definition.limits.seconds * 1_000 - log.spentMs);
    const clock = setTimeout(
      () => end.abort(new RunEnding('too_long', `The run took longer than ${row.definition.limits.seconds} seconds`)),
      Math.min(leftMs, LONGEST_TIMER_MS),
    );
    try {
      if (!(await runOne(deps, row, log, before, end))) await putBack(db, row);
    } finally {
      clearTimeout(clock);
    }
  }

  /** Never rejects. */
  async function see(row: ClaimedRun, end: AbortController): Promise<void> {
    try {
      await work(row, end);
    } catch (error) {
      if (error instanceof LostRun) return logger.info({ runId: row.id }, 'a run of an agent went to another process');
      // It is taken up again when its lease has run out.
      logger.warn({ err: error, runId: row.id }, 'what became of a run of an agent could not be stored');
    } finally {
      if (live.get(row.id)?.end === end) live.delete(row.id);
      look();
    }
  }

  function begin(row: ClaimedRun): void {
    const end = new AbortController();
    if (closing) end.abort(stopping());
    const started = Promise.withResolvers<void>();
    live.set(row.id, { row, end, done: started.promise });
    void see(row, end).then(started.resolve);
  }

  async function fill(): Promise<void> {
    while (!closing && live.size + reserved < size) {
      const places = Math.min(MOST_TAKEN, size - live.size - reserved);
      reserved += places;
      const rows = await claimRuns(db, places, leaseSeconds).finally(() => (reserved -= places));
      if (rows.length === 0) return;
      for (const row of rows) begin(row);
    }
  }

  function look(): void {
    if (closing || !opened) return;
    if (looking !== null) {
      lookAgain = true;
      return;
    }
    looking = fill()
      .catch((error: unknown) => logger.warn({ err: error }, 'runs of agents that wait could not be looked for'))
      .then(() => {
        looking = null;
        if (!lookAgain) return;
        lookAgain = false;
        look();
      });
  }

  async function signs(): Promise<void> {
    if (live.size === 0) return;
    const all = [...live.values()];
    const claims = all.map(({ row: { id, claim } }) => ({ id, claim }));
    const ours = await beat(db, claims).catch(() => null);
    if (ours === null) return;
    for (const { row, end } of all) {
      const sign = ours.get(row.claim);
      if (live.get(row.id)?.end !== end) continue;
      if (sign === undefined) end.abort(new LostRun());
      else if (sign.canceled) end.abort(canceled());
    }
  }

  async function open(): Promise<void> {
    const onCancel = (id: unknown) => live.get(String(id))?.end.abort(canceled());
    const onWritten = (ids: unknown) => {
      for (const id of Array.isArray(ids) ? ids : []) if (!live.has(String(id))) hub.poke(String(id));
    };
    ends.push(await bus.subscribe(WAKE_CHANNEL, look, look));
    ends.push(await bus.subscribe(CANCEL_CHANNEL, onCancel));
    ends.push(await bus.subscribe(WRITTEN_CHANNEL, onWritten, () => hub.poke(null)));
    let beating: Promise<void> = Promise.resolve();
    const beats = setInterval(() => void (beating = beating.then(signs)), beatMs).unref();
    const polls = setInterval(look, pollMs).unref();
    ends.push(() => clearInterval(polls));
    ends.push(() => {
      clearInterval(beats);
      return beating;
    });
    opened = true;
    look();
  }

  async function close(): Promise<void> {
    closing = true;
    writer.end();
    const interrupted = live.size > 0;
    for (const { end } of live.values()) end.abort(stopping());
    await looking;
    await Promise.all([...live.values()].map(({ done }) => done));
    await writer.close();
    tellWritten();
    for (const end of ends)
      await Promise.resolve(end()).catch((error: unknown) => logger.debug({ err: error }, 'the bus was gone before'));
    // Others need not wait for their next look.
    if (interrupted) await tell(WAKE_CHANNEL, null);
  }

  let closed: Promise<void> | null = null;
  return {
    reserve() {
      if (!opened || closing || live.size + reserved >= size) return null;
      reserved++;
      let kept = true;
      return () => {
        if (kept) reserved--;
        kept = false;
      };
    },
    left: () => left,
    begin,
    look,
    async cancel(runId) {
      const one = live.get(runId);
      if (one === undefined) return false;
      one.end.abort(canceled());
      await one.done;
      return true;
    },
    open,
    close: () => (closed ??= close()),
  };
}
