import { createHash } from 'node:crypto';
import { factsOf } from '../../search-facts.ts';
import type { IndexRow } from '../../../ports/search-index.ts';

// What Lucene refuses is kept in another form: terms of more than 32,766 bytes, ids of more than 512.

/** Characters of a value that are kept as they are; one takes at most three bytes. */
const MAX_KEPT = 8_000;
const PIECE = 4_000;
/** Texts of up to this length are found in long values wherever they stand. */
export const OVERLAP = 1_000;
const MAX_ID_BYTES = 400;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A value that fits: a long one as its beginning, by which it is ordered, and a hash of the whole. */
export const fitted = (value: string): string => {
  const whole = value.toWellFormed();
  return whole.length <= MAX_KEPT ? whole : `${whole.slice(0, MAX_KEPT).toWellFormed()}${hashOf(whole)}`;
};

/** The id of a row in an index. */
export const idOf = (rowId: string): string =>
  Buffer.byteLength(rowId) <= MAX_ID_BYTES && rowId !== '' ? rowId.toWellFormed() : `hash:${hashOf(rowId)}`;

/** Before the pieces of a long value, where an ordinary fact has the letter of its type. */
export const PIECE_TYPE = 'p';

/** The facts of a row; long texts also in pieces that overlap, so that what they contain is found. */
export function fittedFacts(row: Pick<IndexRow, 'fields'>): string[] {
  return factsOf(row).flatMap((fact) => {
    if (fact.length <= MAX_KEPT) return [fact];
    const start = fact.indexOf('\u001F') + 1;
    const [name, value] = [fact.slice(0, start), fact.slice(start + 1)];
    const pieces: string[] = [];
    for (let at = 0; at < value.length; at += PIECE - OVERLAP)
      pieces.push(`${name}${PIECE_TYPE}${value.slice(at, at + PIECE).toWellFormed()}`);
    return [fitted(fact), ...pieces];
  });
}
