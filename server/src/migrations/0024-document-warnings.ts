import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What could not be read of documents that were read otherwise. */
export const documentWarnings: Migration = {
  name: '0024_document_warnings',
  async up(tx) {
    await sql`ALTER TABLE documents ADD COLUMN warnings jsonb NOT NULL DEFAULT '[]'`.execute(tx);
  },
};
