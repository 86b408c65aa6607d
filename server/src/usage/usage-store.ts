import { sql } from 'kysely';
import type { Query } from '../jobs/job-table.ts';
import { addCall, emptySlice, type Slice } from './slices.ts';
import type { UsageRow } from './usage-row.ts';

/** A slice in its stored form. `writer` and `number` are its key, so that a slice that is sent twice counts once. */
export interface StoredSlice {
  readonly writer: string;
  readonly number: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly tenant_id: string;
  readonly key_id: string | null;
  readonly endpoint: string;
  readonly model: string;
  readonly engine: string | null;
  readonly status: number;
  readonly outcome: string;
  readonly stream: boolean;
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly reasoning_tokens: number;
  readonly first_token_ms: number;
  readonly latency_ms: number;
  readonly first_token_counts: readonly number[];
  readonly latency_counts: readonly number[];
  /** Left out by earlier versions. */
  readonly user_id?: string | null;
  readonly pages?: number;
  readonly audio_in_ms?: number;
  readonly audio_out_ms?: number;
  readonly characters?: number;
}

/** `first` is added to the number of the slice. */
export function toStored(slice: Slice, writer: string, first: number): StoredSlice {
  const { key: like } = slice;
  return {
    writer,
    number: first + slice.number,
    first_at: new Date(slice.firstAt).toISOString(),
    last_at: new Date(slice.lastAt).toISOString(),
    tenant_id: like.tenantId,
    key_id: like.keyId,
    endpoint: like.endpoint,
    model: like.model,
    engine: like.engine,
    status: like.status,
    outcome: like.outcome,
    stream: like.stream,
    calls: slice.calls,
    prompt_tokens: slice.promptTokens,
    completion_tokens: slice.completionTokens,
    reasoning_tokens: slice.reasoningTokens,
    first_token_ms: slice.firstTokenMs,
    latency_ms: slice.latencyMs,
    first_token_counts: slice.firstTokenCounts,
    latency_counts: slice.latencyCounts,
    user_id: like.userId,
    pages: slice.pages,
    audio_in_ms: slice.audioInMs,
    audio_out_ms: slice.audioOutMs,
    characters: slice.characters,
  };
}

/** Stores slices with one statement; ignores slices that are already stored. */
export async function storeSlices(query: Query, slices: readonly StoredSlice[]): Promise<void> {
  await sql`
    INSERT INTO usage_slices
    SELECT * FROM json_populate_recordset(NULL::usage_slices, ${JSON.stringify(slices)}::json)
    ON CONFLICT (writer, number) DO NOTHING`.execute(query);
}

/** Stores a single call. One of the same id that is already stored is ignored. */
export async function storeCall(query: Query, id: string, row: UsageRow): Promise<void> {
  const slice = emptySlice(row, 0);
  addCall(slice, row);
  await storeSlices(query, [toStored(slice, id, 0)]);
}
