import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SaxesTagNS } from 'saxes';

// What sources send is as long as they like. It is read in pieces, between which other requests of the process have their turn.

/** Bytes or characters of a piece: a few milliseconds of a parser. */
export const PIECE_LENGTH = 32 * 1024;
/** Of XML that is a listing. Parsers take longer for each element the deeper it lies, and for a tag with its attributes all at once. */
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 1_000;

/** A decoder by a name that a server gave, else of UTF-8. */
function decoderOf(label: string) {
  try {
    return new TextDecoder(/^(?:cp|ms)949$/i.test(label) ? 'euc-kr' : label);
  } catch {
    return new TextDecoder();
  }
}

/** The letters of a text, or of bytes in the character set that is named, piece by piece; a mark of the byte order is left out. */
export async function* piecesOf(given: string | Uint8Array, label = 'utf-8'): AsyncGenerator<string> {
  const decoder = typeof given === 'string' ? null : decoderOf(label);
  for (let at = 0; at < given.length; at += PIECE_LENGTH) {
    if (at > 0) await nextTurn();
    const to = at + PIECE_LENGTH;
    if (typeof given === 'string') yield given.slice(at, to).replace(at === 0 ? /^\uFEFF/ : '', '');
    else yield decoder?.decode(given.subarray(at, to), { stream: to < given.length }) ?? '';
  }
}

/** Pieces without the white space that they begin with, which XML has no place for. */
export async function* trimmed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    const rest = isFirst ? piece.trimStart() : piece;
    if (rest === '') continue;
    isFirst = false;
    yield rest;
  }
}

/** What is done with the parts of a document. */
export interface XmlHandlers {
  opentag(tag: SaxesTagNS): void;
  /** Text, also of CDATA sections; one text may come in several parts. */
  text(part: string): void;
  closetag(tag: SaxesTagNS): void;
}

/**
 * Reads XML. Rejects with what a handler throws, or with what `wrong` makes of the failure where it is no XML, or is nested or written so that
 * it would take long.
 */
export async function readXml(
  pieces: AsyncIterable<string>,
  wrong: (cause?: unknown) => Error,
  { opentag, text, closetag }: XmlHandlers,
): Promise<void> {
  // Loaded with the first listing, as many services make none.
  const { SaxesParser } = await import('saxes');
  let attributes = 0;
  let depth = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (cause) => {
    throw wrong(cause);
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++depth > MAX_DEPTH) throw wrong(new Error('elements are nested too deep'));
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw wrong(new Error('an element has too many attributes'));
  });
  parser.on('opentag', opentag);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', (tag) => {
    depth--;
    closetag(tag);
  });
  for await (const piece of pieces) parser.write(piece);
  parser.close();
}
