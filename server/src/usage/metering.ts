import type { Principal } from '../kernel/actor.ts';
import { statusOf } from '../ports/failure.ts';
import type { Meter } from './meter.ts';
import type { UsageRow } from './usage-row.ts';

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
  /** Never throws, never waits. */
  record(call: MeteredCall, use: ModelUse): void;
}

/** The one place that records calls: for the usage report, and for listeners such as the metrics. */
export interface Metering extends UsageRecorder {
  /** Calls `listener` with every row from now on. */
  onRow(listener: (row: UsageRow) => void): void;
}

/** 499: the caller ended the call before the reply was complete. */
const CANCELED = 499;

const statusOfCall = (outcome: UsageRow['outcome'], error: unknown): number => {
  if (outcome === 'ok') return 200;
  return outcome === 'canceled' ? CANCELED : statusOf(error);
};

export function createMetering(meter: Pick<Meter, 'record'>, now: () => number = Date.now): Metering {
  const listeners: ((row: UsageRow) => void)[] = [];
  return {
    record({ actor: { tenantId, keyId, userId }, endpoint, startedMs }, { outcome = 'ok', error, ...use }) {
      const row: UsageRow = {
        at: startedMs,
        tenantId,
        keyId,
        userId: keyId === null ? userId : null,
        endpoint,
        status: statusOfCall(outcome, error),
        outcome,
        stream: false,
        promptTokens: 0,
        completionTokens: 0,
        reasoningTokens: null,
        firstTokenMs: null,
        latencyMs: now() - startedMs,
        ...use,
      };
      meter.record(row);
      for (const listener of listeners) listener(row);
    },
    onRow: (listener) => void listeners.push(listener),
  };
}
