import { sql } from 'kysely';
import { createPostgresBus, openDatabase } from '../../src/adapters/postgres/index.ts';
import type { Database } from '../../src/ports/database.ts';
import { freshDatabase, silent } from '../support/postgres.ts';
import { busConformance } from './bus.ts';

busConformance('LISTEN and NOTIFY', async () => {
  const fresh = await freshDatabase();
  const opened: Database[] = [];
  return {
    open: async () => {
      const db = await openDatabase({ connection: fresh.connection, log: silent, poolSize: 3 });
      opened.push(db);
      return createPostgresBus(db);
    },
    cut: async () => {
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(fresh.db.query);
    },
    close: async () => {
      await Promise.all(opened.map((db) => db.close()));
      await fresh.close();
    },
  };
});
