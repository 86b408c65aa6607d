import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Jobs of short texts, which are taken in many at a time. Those of before are taken one by one. */
export const shortDocuments: Migration = {
  name: '0053_short_documents',
  async up(tx) {
    await sql`ALTER TABLE ingest_jobs ADD COLUMN short boolean NOT NULL DEFAULT false`.execute(tx);
  },
};
