import type { TenantId } from '../kernel/context.ts';

/** The usage record of one call of a model. */
export interface UsageRow {
  /** Time of the request; a number is milliseconds since 1970. */
  readonly at: Date | number;
  readonly tenantId: TenantId;
  /** Null for calls from the console. */
  readonly keyId: string | null;
  /** The person who called from the console; null for calls with an API key. */
  readonly userId: string | null;
  /** Usage name of an endpoint, such as `chat`, or of other work, such as `ingest`. */
  readonly endpoint: string;
  /** Id of the catalogue. */
  readonly model: string;
  /** Id of the engine that replied; null where none was called. */
  readonly engine: string | null;
  /** 200; 499 where its caller ended it before it was complete; else the HTTP status of its failure, also within a stream. */
  readonly status: number;
  readonly outcome: 'ok' | 'error' | 'canceled';
  readonly stream: boolean;
  readonly promptTokens: number;
  /** Of reasoning and answer. */
  readonly completionTokens: number;
  readonly reasoningTokens: number | null;
  /** From the request to the first token of the reply; null where none came. */
  readonly firstTokenMs: number | null;
  readonly latencyMs: number;
  /** Of a document that was read; left out where none was. */
  readonly pages?: number | undefined;
  /** Length of transcribed sound in milliseconds; left out where there was none or it is unknown. */
  readonly audioInMs?: number | undefined;
  /** Length of generated sound in milliseconds. */
  readonly audioOutMs?: number | undefined;
  /** Of a spoken text. */
  readonly characters?: number | undefined;
}
