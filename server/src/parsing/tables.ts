import type { ColumnType, Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Json, GeneratedTimestamp, Nullable, NullableTimestamp } from '../ports/columns.ts';
import type { ParseFields } from './jobs/record.ts';

/** A document that is read in the background. */
interface DocumentParsesTable {
  id: string;
  tenant_id: TenantId;
  /** Null for documents from the console. */
  key_id: string | null;
  /** Who gave it in the console; null for documents that came with an API key. */
  user_id: ColumnType<string | null, string | null | undefined, never>;
  /** Of its content; null until it was read. */
  format: Nullable<string>;
  name: string | null;
  size: number;
  fields: Json<ParseFields>;
  /** `arriving`: its file is being put away. */
  state: 'arriving' | 'queued' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  attempts: Generated<number>;
  /** Of the process that reads it, anew with every attempt. */
  claim: Nullable<string>;
  /** While it runs: last sign of life of that process, by the database's clock. */
  seen_at: NullableTimestamp;
  pages_done: Generated<number>;
  pages_total: Nullable<number>;
  error_code: Nullable<string>;
  error_message: Nullable<string>;
  /** The document as JSON, packed with gzip. */
  result: Nullable<Buffer>;
  created_at: GeneratedTimestamp;
  /** Of the last attempt. */
  started_at: NullableTimestamp;
  finished_at: NullableTimestamp;
  /** From then on there is none, and it is removed with its file. */
  expires_at: NullableTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    document_parses: DocumentParsesTable;
  }
}
