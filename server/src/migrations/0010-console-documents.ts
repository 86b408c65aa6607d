import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Documents that people read in the console, and pages as what is counted of documents. */
export const consoleDocuments: Migration = {
  name: '0010_console_documents',
  async up(tx) {
    await sql`ALTER TABLE document_parses ALTER COLUMN key_id DROP NOT NULL`.execute(tx);
    await sql`ALTER TABLE document_parses ADD COLUMN user_id text, ADD COLUMN format text`.execute(tx);
    await sql`
      CREATE INDEX document_parses_of_person ON document_parses (tenant_id, user_id, created_at)
      WHERE user_id IS NOT NULL`.execute(tx);
    // Null in what was counted before.
    await sql`ALTER TABLE usage_slices ADD COLUMN pages bigint`.execute(tx);
  },
};
