import { sql } from 'kysely';
import type { Database } from '../ports/database.ts';
import type { UsageRow } from './usage-row.ts';

/** A row as it is stored and spilled. `writer` and `number` name it, so that a row that is sent twice is counted once. */
export interface StoredRow {
  readonly writer: string;
  readonly number: number;
  readonly at: string;
  readonly request_id: string;
  readonly tenant_id: string;
  readonly key_id: string | null;
  readonly endpoint: string;
  readonly model: string;
  readonly engine: string | null;
  readonly status: number;
  readonly outcome: string;
  readonly stream: boolean;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly reasoning_tokens: number | null;
  readonly first_token_ms: number | null;
  readonly latency_ms: number;
}

export function toStored(row: UsageRow, writer: string, number: number): StoredRow {
  return {
    writer,
    number,
    at: new Date(row.at).toISOString(),
    request_id: row.requestId,
    tenant_id: row.tenantId,
    key_id: row.keyId,
    endpoint: row.endpoint,
    model: row.model,
    engine: row.engine,
    status: row.status,
    outcome: row.outcome,
    stream: row.stream,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    reasoning_tokens: row.reasoningTokens,
    first_token_ms: row.firstTokenMs,
    latency_ms: row.latencyMs,
  };
}

/** Stores the rows with one statement; those that are there already are left alone. */
export async function storeRows(db: Database, rows: readonly StoredRow[]): Promise<void> {
  await sql`
    INSERT INTO usage
    SELECT * FROM json_populate_recordset(NULL::usage, ${JSON.stringify(rows)}::json)
    ON CONFLICT (writer, number) DO NOTHING`.execute(db.query);
}
