import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { ColumnType, Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Json, MadeTimestamp, Maybe, MaybeTimestamp } from '../ports/columns.ts';

/** A document that is read in the background. */
interface DocumentParsesTable {
  id: string;
  tenant_id: TenantId;
  /** Null for documents from the console. */
  key_id: string | null;
  /** Who gave it in the console; null for documents that came with an API key. */
  user_id: ColumnType<string | null, string | null | undefined, never>;
  /** Of its content; null until it was read. */
  format: Maybe<string>;
  name: string | null;
  size: number;
  fields: Json<DocumentParseFields>;
  /** `arriving`: its file is being put away. */
  state: 'arriving' | 'queued' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  attempts: Generated<number>;
  /** Of the process that reads it, anew with every attempt. */
  claim: Maybe<string>;
  /** While it runs: last sign of life of that process, by the database's clock. */
  seen_at: MaybeTimestamp;
  pages_done: Generated<number>;
  pages_total: Maybe<number>;
  error_code: Maybe<string>;
  error_message: Maybe<string>;
  /** The document as JSON, packed with gzip. */
  result: Maybe<Buffer>;
  created_at: MadeTimestamp;
  /** Of the last attempt. */
  started_at: MaybeTimestamp;
  finished_at: MaybeTimestamp;
  /** From then on there is none, and it is removed with its file. */
  expires_at: MaybeTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    document_parses: DocumentParsesTable;
  }
}
