import type {
  ConnectorAccess,
  ConnectorGroup,
  ConnectorRun,
  ConnectorSettings,
} from '@ai-studio/contract/retrieval/connector.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type {
  GeneratedJson,
  GeneratedTimestamp,
  Json,
  Nullable,
  NullableJson,
  NullableTimestamp,
} from '../ports/columns.ts';

/** A source that a collection is kept in step with. */
interface ConnectorsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  name: string;
  settings: Json<ConnectorSettings>;
  /** JSON of secrets by name, sealed; null for none. */
  secrets: string | null;
  every_minutes: number | null;
  max_documents: number;
  paused: Generated<boolean>;
  /** Of the schedule; null where there is none. */
  next_at: NullableTimestamp;
  /** Where the next listing begins. */
  cursor: Nullable<string>;
  /** Whose documents they are. */
  key_id: string | null;
  user_id: string | null;
  /** Whether its documents are for whoever sees the collection, or for those whom the source lets read them. */
  access: Generated<ConnectorAccess>;
  /** Who is in groups of which the source tells nothing. */
  groups: GeneratedJson<readonly ConnectorGroup[]>;
  /** It goes, with its documents. */
  removing: Generated<boolean>;
}

/** A run of a connector. */
interface ConnectorRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  connector_id: string;
  state: Generated<'running' | 'done' | 'cancelled' | 'failed'>;
  /** Only tells what would be done. */
  dry: boolean;
  /** Removes what is gone, however much it is. */
  removes_all: boolean;
  /** Documents. */
  seen: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  removed: Generated<number>;
  failed: Generated<number>;
  held_back: Generated<number>;
  /** Whose readers alone were others, and of which they can't be told. */
  readers_changed: Generated<number>;
  readers_unknown: Generated<number>;
  failure: NullableJson<NonNullable<ConnectorRun['failure']>>;
  /** The first of them. */
  changes: GeneratedJson<ConnectorRun['changes']>;
  problems: GeneratedJson<ConnectorRun['problems']>;
  created_at: GeneratedTimestamp;
  ended_at: NullableTimestamp;
  seen_at: GeneratedTimestamp;
  /** Of the process that makes it. */
  claim: Nullable<string>;
  /** Processes that took it up. */
  attempts: Generated<number>;
}

/** A document that was taken from a source. */
interface ConnectorItemsTable {
  connector_id: string;
  source_id: string;
  name: string;
  version: string;
  /** By which it is known that its readers are others; null where they are those of the collection. */
  readers: Nullable<string>;
}

declare module '../ports/tables.ts' {
  interface Tables {
    connectors: ConnectorsTable;
    connector_runs: ConnectorRunsTable;
    connector_items: ConnectorItemsTable;
  }
}
