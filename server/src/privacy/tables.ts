import type { ColumnType } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp, Timestamp } from '../ports/columns.ts';

/** Sessions of texts that were masked with tokens; they can be unmasked until the session expires. */
interface PrivacySessionsTable {
  id: string;
  tenant_id: TenantId;
  created_at: GeneratedTimestamp;
  expires_at: Timestamp;
}

/** The value of a token. */
interface PrivacyValuesTable {
  session_id: string;
  token: string;
  /** See kernel/secret-box.ts. */
  sealed: string;
}

/** Numbers of personal values that were found, by day (UTC), source and type. */
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
