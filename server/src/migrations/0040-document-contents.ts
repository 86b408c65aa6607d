import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What documents hold, by its hash: a file that is there already is told before it is taken again. Null for those of before. */
export const documentContents: Migration = {
  name: '0040_document_contents',
  async up(tx) {
    await sql`ALTER TABLE documents ADD COLUMN content_sha256 text`.execute(tx);
  },
};
