import type { Generated } from 'kysely';
import type { GeneratedTimestamp } from '../ports/columns.ts';

/** Private hosts and networks that were opened in the console, for all tenants. */
interface OpenedHostsTable {
  id: string;
  /** As `openableHost` writes it. */
  host: string;
  /** What it is opened for. */
  note: Generated<string>;
  /** Name of the person who opened it. */
  opened_by: string;
  opened_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    opened_hosts: OpenedHostsTable;
  }
}
