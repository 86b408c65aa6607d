import type { TenantId } from '../kernel/context.ts';
import type { Timestamp } from '../ports/columns.ts';

/** Calls of a moment that differ in nothing but their counts. */
interface UsageSlicesTable {
  /** The process life that wrote the row, and its number there. */
  writer: string;
  number: number;
  first_at: Timestamp;
  last_at: Timestamp;
  tenant_id: TenantId;
  key_id: string | null;
  endpoint: string;
  model: string;
  engine: string | null;
  status: number;
  outcome: 'ok' | 'error' | 'canceled';
  stream: boolean;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Sums, in milliseconds. */
  first_token_ms: number;
  latency_ms: number;
  /** Entry i counts durations above 2^(i-1) and up to 2^i milliseconds. */
  first_token_counts: number[];
  latency_counts: number[];
  /** Who called from the console; null for calls with an API key. */
  user_id: string | null;
  /** Of documents that were read; null in rows of versions that did not count them. */
  pages: number | null;
  /** Of sound that was heard and made, in milliseconds, and characters of texts that were said; null in older rows. */
  audio_in_ms: number | null;
  audio_out_ms: number | null;
  characters: number | null;
}

declare module '../ports/tables.ts' {
  interface Tables {
    usage_slices: UsageSlicesTable;
  }
}
