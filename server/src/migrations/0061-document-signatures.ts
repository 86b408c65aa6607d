import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/**
 * By what documents are known that say the same as another: of collections that ask for it. `bands` are hashes of parts of the signature, with the
 * collection; texts that are nearly the same share one almost surely. `number`: in the order in which they came.
 */
export const documentSignatures: Migration = {
  name: '0061_document_signatures',
  async up(tx) {
    await sql`
      CREATE TABLE document_signatures (
        document_id text PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
        number bigint GENERATED ALWAYS AS IDENTITY,
        collection_id text NOT NULL,
        exact text NOT NULL,
        bins bytea NOT NULL,
        bands bigint[] NOT NULL
      )`.execute(tx);
    await sql`CREATE INDEX document_signatures_exact ON document_signatures (collection_id, exact)`.execute(tx);
    await sql`CREATE INDEX document_signatures_bands ON document_signatures USING gin (bands)`.execute(tx);
    await sql`ALTER TABLE documents ADD COLUMN duplicate_of text`.execute(tx);
  },
};
