import type { ColumnType } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { MadeTimestamp, Timestamp } from '../ports/columns.ts';

/** Texts that were masked with tokens, and can be unmasked until the session ends. */
interface PrivacySessionsTable {
  id: string;
  tenant_id: TenantId;
  created_at: MadeTimestamp;
  expires_at: Timestamp;
}

/** What a token stands for. */
interface PrivacyValuesTable {
  session_id: string;
  token: string;
  /** See kernel/secret-box.ts. */
  sealed: string;
}

/** How many personal values were found, by day (UTC), place and type. */
interface PrivacyCountsTable {
  tenant_id: TenantId;
  day: ColumnType<Date, string, never>;
  source: string;
  type: string;
  count: number;
}

declare module '../ports/tables.ts' {
  interface Tables {
    privacy_sessions: PrivacySessionsTable;
    privacy_values: PrivacyValuesTable;
    privacy_counts: PrivacyCountsTable;
  }
}
