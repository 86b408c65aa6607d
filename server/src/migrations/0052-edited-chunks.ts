import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/**
 * Whether somebody edited the chunks of a document: those are carried over when its model changes, others may be cut anew. Of documents from
 * before nobody knows whether it was a chunk or a fact that was changed.
 */
export const editedChunks: Migration = {
  name: '0052_edited_chunks',
  async up(tx) {
    await sql`ALTER TABLE documents ADD COLUMN chunks_edited boolean NOT NULL DEFAULT false`.execute(tx);
    await sql`UPDATE documents SET chunks_edited = true WHERE edits > 1`.execute(tx);
  },
};
