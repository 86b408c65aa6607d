import type { Principal } from '../kernel/actor.ts';
import type { Query } from '../jobs/job-table.ts';
import { statusOf } from '../ports/failure.ts';
import type { Meter } from './meter.ts';
import type { UsageRow } from './usage-row.ts';
import { storeCall } from './usage-store.ts';

/** Whose call it is. */
export interface MeteredCall {
  /** Who is charged: the key, else the person. */
  readonly actor: Principal;
  readonly endpoint: UsageRow['endpoint'];
  /** When the call came in, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** What a model did for a call, as the feature that asked it knows it. */
export interface ModelUse extends Partial<
  Pick<
    UsageRow,
    | 'stream'
    | 'status'
    | 'promptTokens'
    | 'completionTokens'
    | 'reasoningTokens'
    | 'firstTokenMs'
    | 'pages'
    | 'audioInMs'
    | 'audioOutMs'
    | 'characters'
  >
> {
  readonly model: string;
  /** Id of the engine that replied; null where none was called. */
  readonly engine: string | null;
  /** `ok` by default. */
  readonly outcome?: UsageRow['outcome'];
  /** The failure, where the outcome is `error`; its HTTP status is used where `status` is left out. */
  readonly error?: unknown;
}

/** Takes down what a call has used. */
export interface UsageRecorder {
  /**
   * Never throws, never waits. The call is kept, whatever becomes of the process, once this returns; with `kept`, once that is called,
   * still in this turn of the event loop: calls that end together are written together.
   */
  record(call: MeteredCall, use: ModelUse, kept?: () => void): void;
}

/** A call that is recorded by the transaction that stores what it made: both are there, or neither. */
export interface PreparedUse {
  /** Stores it. `id` names the call, which counts once however often it is stored. */
  store(tx: Query, id: string): Promise<void>;
  /** Tells the listeners; called once the transaction is committed. */
  announce(): void;
}

/** The one place that records calls: for the usage report, and for listeners such as the metrics. */
export interface Metering extends UsageRecorder {
  /** Calls `listener` with every row from now on. */
  onRow(listener: (row: UsageRow) => void): void;
  /** A call that the caller stores. It took until now. */
  prepare(call: MeteredCall, use: ModelUse): PreparedUse;
}

/** 499: the caller ended the call before the reply was complete. */
const CANCELED = 499;

const statusOfCall = (outcome: UsageRow['outcome'], error: unknown): number => {
  if (outcome === 'ok') return 200;
  return outcome === 'canceled' ? CANCELED : statusOf(error);
};

export function createMetering(meter: Pick<Meter, 'record'>, now: () => number = Date.now): Metering {
  const listeners: ((row: UsageRow) => void)[] = [];
  const announce = (row: UsageRow) => {
    for (const listener of listeners) listener(row);
  };
  // Field by field: a spread of what was given takes ten times as long, with each call.
  const rowOf = ({ actor: { tenantId, keyId, userId }, endpoint, startedMs }: MeteredCall, use: ModelUse): UsageRow => {
    const outcome = use.outcome ?? 'ok';
    return {
      at: startedMs,
      tenantId,
      keyId,
      userId: keyId === null ? userId : null,
      endpoint,
      model: use.model,
      engine: use.engine,
      status: use.status ?? statusOfCall(outcome, use.error),
      outcome,
      stream: use.stream ?? false,
      promptTokens: use.promptTokens ?? 0,
      completionTokens: use.completionTokens ?? 0,
      reasoningTokens: use.reasoningTokens ?? null,
      firstTokenMs: use.firstTokenMs ?? null,
      latencyMs: now() - startedMs,
      pages: use.pages,
      audioInMs: use.audioInMs,
      audioOutMs: use.audioOutMs,
      characters: use.characters,
    };
  };
  return {
    record(call, use, kept) {
      const row = rowOf(call, use);
      meter.record(row, kept);
      announce(row);
    },
    prepare(call, use) {
      const row = rowOf(call, use);
      return { store: (tx, id) => storeCall(tx, id, row), announce: () => announce(row) };
    },
    onRow: (listener) => void listeners.push(listener),
  };
}
