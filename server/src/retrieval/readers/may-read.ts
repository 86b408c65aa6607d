import { sql } from 'kysely';
import type { Actor, Principal } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { isReadable, readsAll } from '../visibility.ts';

/** What is cited of a document. */
interface Cited {
  readonly collection_id: string;
  readonly document_id: string;
}

/**
 * Passages that were cited once, without those of documents that are not there for somebody by their readers: an answer that is shown to others cites
 * nothing that they may not read. Whether the collection is there for them is another question.
 */
export async function citedFor<C extends Cited>(
  { db: { query } }: DatabaseDeps,
  reader: Principal & Partial<Actor>,
  cited: readonly C[],
): Promise<C[]> {
  if (cited.length === 0) return [];
  const { rows } = await sql<Cited>`
    SELECT asked.collection_id, asked.document_id
    FROM unnest(${cited.map((one) => one.collection_id)}::text[], ${cited.map((one) => one.document_id)}::text[])
      AS asked (collection_id, document_id)
    JOIN collections ON collections.id = asked.collection_id AND collections.tenant_id = ${reader.tenantId}
    WHERE collections.has_restricted AND NOT ${readsAll(reader)} AND NOT EXISTS (
      SELECT 1 FROM documents WHERE documents.id = asked.document_id AND documents.collection_id = collections.id
        AND ${isReadable(reader)})`.execute(query);
  const hidden = new Set(rows.map((row) => row.document_id));
  return hidden.size === 0 ? [...cited] : cited.filter((one) => !hidden.has(one.document_id));
}
