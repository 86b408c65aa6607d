import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../ports/database.ts';
import type { ParseWarning } from '../tables.ts';
import { bandsOf, isNearlySame, packBins, type Signature, unpackBins } from './signature.ts';

/** Another document that says the same. */
export interface Duplicate {
  readonly id: string;
  readonly name: string;
  /** Letter by letter, however it is set. */
  readonly isExact: boolean;
}

/** Most documents that are compared one by one. */
const MAX_COMPARED = 200;

export const DUPLICATE_CODE = 'DUPLICATE';

/** Why a document is not taken in. */
export const duplicateReason = ({ id, name, isExact }: Duplicate) => ({
  code: DUPLICATE_CODE,
  message: `The document says ${isExact ? 'the same' : 'nearly the same'} as ${JSON.stringify(name)} (${id}), and ingest_config.duplicates is "skip".`,
});

/** What is told of one that is taken in all the same. */
export const duplicateWarning = ({ id, name, isExact }: Duplicate): ParseWarning => ({
  code: 'duplicate',
  message: `The document says ${isExact ? 'the same' : 'nearly the same'} as ${JSON.stringify(name)} (${id}).`,
});

/**
 * Keeps the signature of a document, and looks for an earlier one of its collection that says the same; null where there is none. One with the same
 * external id, whose place it takes, does not count, nor does one that failed, nor where one of them has readers of its own, who need not know of the other. Documents of a collection take turns, so that of two that come at the
 * same time the second finds the first.
 */
export async function noteSignature(
  tx: Transaction<Tables>,
  { collectionId, documentId }: { readonly collectionId: string; readonly documentId: string },
  signature: Signature,
): Promise<Duplicate | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`duplicates ${collectionId}`}, 0))`.execute(tx);
  const { exact, bins } = signature;
  const bands = bandsOf(signature, collectionId).map(String);
  await sql`
    INSERT INTO document_signatures (document_id, collection_id, exact, bins, bands)
    SELECT id, ${collectionId}, ${exact}, ${packBins(bins)}, ${bands}::bigint[] FROM documents WHERE id = ${documentId}
    ON CONFLICT (document_id) DO UPDATE SET exact = excluded.exact, bins = excluded.bins, bands = excluded.bands`.execute(
    tx,
  );
  const { rows } = await sql<{
    readonly id: string;
    readonly name: string;
    readonly exact: string;
    readonly bins: Buffer;
  }>`
    SELECT documents.id, documents.name, other.exact, other.bins
    FROM document_signatures AS own
    JOIN document_signatures AS other ON other.collection_id = own.collection_id AND other.number < own.number
      AND (other.exact = own.exact OR other.bands && own.bands)
    JOIN documents ON documents.id = other.document_id AND documents.state <> 'failed'
    JOIN documents AS self ON self.id = own.document_id
    WHERE own.document_id = ${documentId}
      AND (documents.external_id IS NULL OR documents.external_id IS DISTINCT FROM self.external_id)
      AND documents.readers IS NULL AND self.readers IS NULL
    ORDER BY (other.exact = own.exact) DESC, other.number
    LIMIT ${MAX_COMPARED}`.execute(tx);
  const found = rows.find((row) => isNearlySame(signature, { exact: row.exact, bins: unpackBins(row.bins) }));
  return found === undefined ? null : { id: found.id, name: found.name, isExact: found.exact === exact };
}
