import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Addresses of engines that get no new calls, until somebody puts them back to work. */
export const engineDrains: Migration = {
  name: '0029_engine_drains',
  async up(tx) {
    await sql`
      CREATE TABLE engine_drains (
        engine text NOT NULL,
        url text NOT NULL,
        drained_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (engine, url)
      )`.execute(tx);
  },
};
