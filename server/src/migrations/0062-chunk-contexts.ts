import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What a model says of where a chunk stands in its document; null where none was asked, empty where it said nothing. */
export const chunkContexts: Migration = {
  name: '0062_chunk_contexts',
  async up(tx) {
    await sql`ALTER TABLE chunks ADD COLUMN context text`.execute(tx);
  },
};
