import type { ColumnType, Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';

/** A `timestamptz`: read as Date, written as Date or ISO 8601 text. */
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A `timestamptz` that the database sets when it is left out. */
type MadeTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** An organisation. Every other row belongs to one. */
interface TenantsTable {
  id: TenantId;
  name: string;
  created_at: MadeTimestamp;
}

/** API keys: what they may do, and the SHA-256 of the value; never the value. Rows of deleted keys stay, for usage reports. */
export interface ApiKeysTable {
  id: string;
  tenant_id: TenantId;
  name: string;
  sha256: Buffer;
  /** First characters of the value, for people to tell keys apart. */
  key_start: string;
  key_last4: string;
  scopes: string[];
  allowed_models: string[] | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  tool_stream: 'openai' | 'arguments' | null;
  /** Id of the user who made it; null for keys made by the service or its command line. */
  created_by: string | null;
  created_at: MadeTimestamp;
  expires_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  last_used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  /** Number of the change that touched the row last; see {@link KeyClockTable}. */
  version: number;
}

/** One row. Counts the changes of `api_keys`; its row lock makes the numbers commit in order. */
interface KeyClockTable {
  id: Generated<boolean>;
  version: number;
}

/** Processes that hold API keys in memory. */
interface NodesTable {
  id: string;
  started_at: MadeTimestamp;
  /** Last sign of life, by the database's clock. */
  seen_at: MadeTimestamp;
  /** The newest change of `api_keys` that this process has taken in. */
  key_version: number;
}

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
}

/** Which local model serves an id of the catalogue. */
interface ModelBindingsTable {
  catalogue_id: string;
  local_id: string;
  created_at: MadeTimestamp;
}

/** Migrations that were applied, in order. */
interface MigrationsTable {
  name: string;
  applied_at: MadeTimestamp;
}

/** Every table of the service. A feature that adds one adds its shape here and its statement in `migrations/`. */
export interface Tables {
  tenants: TenantsTable;
  api_keys: ApiKeysTable;
  key_clock: KeyClockTable;
  nodes: NodesTable;
  usage_slices: UsageSlicesTable;
  model_bindings: ModelBindingsTable;
  studio_migrations: MigrationsTable;
}
