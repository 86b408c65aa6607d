import type { TenantId } from '../kernel/context.ts';

/** One call of a model, as it is counted. */
export interface UsageRow {
  /** When the request came in; a number is milliseconds since 1970. */
  readonly at: Date | number;
  readonly tenantId: TenantId;
  /** Null for calls from the console. */
  readonly keyId: string | null;
  /** The person who called from the console; null for calls with an API key. */
  readonly userId: string | null;
  /** Usage name that the route of an endpoint declares, such as `chat`, or of other work, such as `ingest`. */
  readonly endpoint: string;
  /** Id of the catalogue. */
  readonly model: string;
  /** Id of the engine that answered; null when none was asked. */
  readonly engine: string | null;
  /** 200; 499 where its caller ended it before it was complete; else the HTTP status of its failure, also within a stream. */
  readonly status: number;
  readonly outcome: 'ok' | 'error' | 'canceled';
  readonly stream: boolean;
  readonly promptTokens: number;
  /** Reasoning and answer. */
  readonly completionTokens: number;
  readonly reasoningTokens: number | null;
  /** From the request to the first piece of the answer; null when none came. */
  readonly firstTokenMs: number | null;
  readonly latencyMs: number;
  /** Of a document that was read; left out where none was. */
  readonly pages?: number;
  /** Of sound that was written down, in milliseconds; left out where there was none, or nobody knows. */
  readonly audioInMs?: number;
  /** Of sound that was made, in milliseconds. */
  readonly audioOutMs?: number;
  /** Of a text that was said. */
  readonly characters?: number;
}
