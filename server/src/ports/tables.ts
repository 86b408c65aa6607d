import type { GeneratedTimestamp } from './columns.ts';

/** Migrations that were applied, in order. */
interface MigrationsTable {
  name: string;
  applied_at: GeneratedTimestamp;
}

/**
 * Every table of the service. Each feature adds the tables that it owns in its own `tables.ts`, by `declare module` of this file;
 * `migrations/` holds the statements that create them.
 */
export interface Tables {
  studio_migrations: MigrationsTable;
}
