import type { Block, Document, Warning } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { blocksOfBody, blocksOfItems } from '../hwp/blocks.ts';
import { createInflater } from '../hwp/inflate.ts';
import type { Place } from '../hwp/session.ts';
import { createCursor } from './cursor.ts';
import { readHead, readStyleNames } from './head.ts';
import { readList } from './paragraphs.ts';
import type { Session } from './session.ts';

const SIGNATURE = 'HWP Document File V3.00';

/** True for the head of a document of HWP 3. */
export const isHwp3 = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 0, SIGNATURE.length) === SIGNATURE;

const wanted = (blocks: readonly Block[], pages: ReadonlySet<number> | null): readonly Block[] =>
  pages === null ? blocks : blocks.filter(({ page }) => page === null || pages.has(page));

/**
 * Reads documents of HWP 3 (한글 3.0 to 97). Pages are those of the last layout that the document keeps. Throws ParseError
 * `ENCRYPTED` for one with a password. Source: Hancom, HWP document file format 3.0.
 */
export const readHwp3: Reader = (bytes, { limits, pages: chosen, onPage }): Document => {
  const start = createCursor(bytes);
  const head = readHead(start);
  if (start.ended()) throw new ParseError('CORRUPTED', 'The file is damaged; nothing could be read of it.');
  if (head.encrypted)
    throw new ParseError('ENCRYPTED', 'The document is protected by a password. Save it without one and try again.');
  start.take(head.infoBytes);
  const packed = start.take(start.left());
  const inflater = createInflater(limits);
  const body = head.compressed ? inflater.inflate(packed) : { bytes: packed, whole: true };
  const warnings = new Map<string, Warning>();
  const warn = (code: string, message: string): void => {
    if (!warnings.has(code)) warnings.set(code, { code, message });
  };
  if (!body.whole) warn('file_damaged', 'The file is damaged or cut off; what could be read of it is given.');
  const cursor = createCursor(body.bytes);
  const session: Session = {
    cursor,
    budget: createBudget(limits),
    styles: readStyleNames(cursor),
    warn,
    page: 1,
    noteCounts: { footnote: 0, endnote: 0, comment: 0 },
    margins: new Set(),
    unknownLetters: 0,
    list: (place) => readList(session, place),
    finish: (items) => blocksOfItems(items),
  };
  const place: Place = { kind: 'body', depth: 0, filled: false, fields: [], page: null };
  const blocks = blocksOfBody(session.list(place));
  if (cursor.ended()) warn('file_damaged', 'The file is damaged or cut off; what could be read of it is given.');
  if (blocks.length === 0 && warnings.size > 0)
    throw new ParseError('CORRUPTED', 'The file is damaged; nothing could be read of it.');
  if (session.unknownLetters > 0)
    warn(
      'letters_unknown',
      `${session.unknownLetters} letters of the document's own fonts are not known and left out.`,
    );
  const pages = Array.from({ length: session.page }, (_, at) => ({ number: at + 1, ...head.paper }));
  onPage(pages.length, pages.length);
  return {
    format: 'hwp',
    meta: head.meta,
    pages: pages.filter(({ number }) => chosen === null || chosen.has(number)),
    blocks: wanted(blocks, chosen),
    warnings: [...warnings.values()],
  };
};
