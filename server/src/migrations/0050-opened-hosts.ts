import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Private hosts and networks that were opened in the console, beside those of the configuration. */
export const openedHosts: Migration = {
  name: '0050_opened_hosts',
  async up(tx) {
    await sql`
      CREATE TABLE opened_hosts (
        id text PRIMARY KEY,
        host text NOT NULL UNIQUE,
        note text NOT NULL DEFAULT '',
        opened_by text NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT now()
      )`.execute(tx);
  },
};
