import iconv from 'iconv-lite';
import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import { decodeUtf16, u16At, u32At } from '../hwp/bytes.ts';
import { openCompoundFile } from '../hwp/compound.ts';

// A document of Word 97 to 2003: its text stands in pieces in one stream, and tables that say how it looks in another one. Source: MS-DOC.

const WORD_97 = 0xa5ec;
const WORD_6 = 0xa5dc;
/** The first version of the format that this reads. */
const FIRST_VERSION = 0xc1;
const FLAG_ENCRYPTED = 0x0100;
const FLAG_TABLE_1 = 0x0200;

/** Places of pairs in the file information block: where a table begins, and its length. Source: MS-DOC 2.5.6. */
export const tables = {
  styles: 1,
  footnoteMarks: 2,
  footnoteTexts: 3,
  commentMarks: 4,
  commentTexts: 5,
  sections: 6,
  margins: 11,
  characters: 12,
  paragraphs: 13,
  fonts: 15,
  pieces: 33,
  commentAuthors: 36,
  drawings: 40,
  endnoteMarks: 46,
  endnoteTexts: 47,
  boxes: 56,
  lists: 73,
  listUses: 74,
} as const;
const FIRST_PAIR = 0x9a;
const FIRST_LENGTH = 0x4c;

/** Parts of the text, in their order, by the place of their length. */
const partPlaces = { text: 0, footnotes: 1, margins: 2, comments: 4, endnotes: 5, boxes: 6 } as const;
export type PartName = keyof typeof partPlaces;

/** A range of the text: the first place, and the one behind the last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

interface Piece extends Range {
  /** Its place in the stream, and the bytes of a letter. */
  readonly at: number;
  readonly width: 1 | 2;
}

/** A table of places in the text and what stands at each. */
export interface Places {
  readonly places: readonly number[];
  readonly data: readonly Uint8Array[];
}

const damaged = () => new ParseError('CORRUPTED', 'The Word document is damaged and cannot be read.');

/** Reads the pieces of the text. No byte stands in two of them, so that there is no more text than bytes. */
function readPieces(table: Uint8Array, main: Uint8Array): Piece[] {
  let at = 0;
  // What stands before them are changes of looks that were saved fast.
  while (table[at] === 1) at += 3 + u16At(table, at + 1);
  if (table[at] !== 2) throw damaged();
  const { places, data } = readPlaces(table.subarray(at + 5, at + 5 + u32At(table, at + 1)), 8);
  const pieces: Piece[] = [];
  let letters = 0;
  for (const [index, piece] of data.entries()) {
    const [from = 0, to = 0] = [places[index], places[index + 1]];
    const place = u32At(piece, 2);
    const isNarrow = (place & 0x40000000) !== 0;
    const begin = (place & 0x3fffffff) / (isNarrow ? 2 : 1);
    const width = isNarrow ? 1 : 2;
    letters += to - from;
    if (from !== (pieces.at(-1)?.to ?? 0) || to < from || letters > main.length) throw damaged();
    pieces.push({ from, to, at: begin, width });
  }
  return pieces;
}

/** Reads places in the text with so many bytes about each. */
export function readPlaces(table: Uint8Array, bytesEach: number): Places {
  const count = Math.max(0, Math.floor((table.length - 4) / (4 + bytesEach)));
  const places = Array.from({ length: table.length < 4 ? 0 : count + 1 }, (_, index) => u32At(table, index * 4));
  const first = places.length * 4;
  return {
    places,
    data: Array.from({ length: count }, (_, index) =>
      table.subarray(first + index * bytesEach, first + (index + 1) * bytesEach),
    ),
  };
}

function decodePiece(main: Uint8Array, { from, to, at, width }: Piece): string {
  const length = to - from;
  const text =
    width === 2
      ? decodeUtf16(main, at, at + length * 2)
      : iconv.decode(Buffer.from(main.subarray(at, at + length)), 'cp1252');
  // What a cut file does not hold leaves the places of the rest as they are.
  return text.padEnd(length, '\0');
}

/** An open document. */
export class DocFile {
  readonly text: string;
  readonly main: Uint8Array;
  /** Properties that are too long for their place, pictures, fields of forms. */
  readonly data: Uint8Array;
  readonly summary: Uint8Array | null;
  readonly #table: Uint8Array;
  readonly #pieces: readonly Piece[];

  /** Throws ParseError `ENCRYPTED`, `UNSUPPORTED`, `CORRUPTED`. */
  constructor(bytes: Uint8Array, { entries }: ParseLimits) {
    const { paths, stream } = openCompoundFile(bytes, entries);
    const find = (name: RegExp) => stream(paths.find((path) => name.test(path)) ?? '');
    const main = find(/^worddocument$/iu);
    if (main === null) throw damaged();
    const [kind, version, flags] = [u16At(main, 0), u16At(main, 2), u16At(main, 0x0a)];
    if (kind === WORD_6 || (kind === WORD_97 && version < FIRST_VERSION))
      throw new ParseError(
        'UNSUPPORTED',
        'Documents of Word 6 and 95 are not read. Save the document as .docx and try again.',
        { savedAs: 'docx' },
      );
    if (kind !== WORD_97) throw damaged();
    if ((flags & FLAG_ENCRYPTED) !== 0)
      throw new ParseError('ENCRYPTED', 'The document is protected by a password. Save it without one and try again.');
    const table = find((flags & FLAG_TABLE_1) === 0 ? /^0table$/iu : /^1table$/iu);
    if (table === null) throw damaged();
    this.main = main;
    this.#table = table;
    this.data = find(/^data$/iu) ?? new Uint8Array();
    this.summary = find(/^\u0005summaryinformation$/iu);
    this.#pieces = readPieces(this.table(tables.pieces), main);
    this.text = this.#pieces.map((piece) => decodePiece(main, piece)).join('');
  }

  /** The bytes of a table; empty where there is none. */
  table(pair: number): Uint8Array {
    const place = FIRST_PAIR + pair * 8;
    const start = u32At(this.main, place);
    return this.#table.subarray(start, start + u32At(this.main, place + 4));
  }

  /** What follows a table in its stream. */
  behind(pair: number): Uint8Array {
    const place = FIRST_PAIR + pair * 8;
    return this.#table.subarray(u32At(this.main, place) + u32At(this.main, place + 4));
  }

  /** Where a part of the text stands. */
  part(name: PartName): Range {
    const lengthAt = (place: number) => u32At(this.main, FIRST_LENGTH + place * 4);
    let from = 0;
    for (let place = 0; place < partPlaces[name]; place++) if (place !== 3) from += lengthAt(place);
    const begin = Math.min(from, this.text.length);
    return { from: begin, to: Math.min(this.text.length, begin + lengthAt(partPlaces[name])) };
  }

  /** Ranges of a part that a table cuts it into; empty where the table is damaged. */
  ranges(name: PartName, { places }: Places): readonly Range[] {
    const { from, to } = this.part(name);
    return places.slice(1).map((end, index) => {
      const begin = from + (places[index] ?? 0);
      return { from: Math.min(begin, to), to: Math.min(Math.max(begin, from + end), to) };
    });
  }

  /** Calls back for each part of a range that stands in one piece: with its places in the text, and the place in the stream of its first letter. */
  eachPiece({ from, to }: Range, take: (range: Range, at: number, width: number) => void): void {
    for (let index = this.#pieceAt(from); index < this.#pieces.length; index++) {
      const piece = this.#pieces[index]!;
      if (piece.from >= to) return;
      const begin = Math.max(from, piece.from);
      const end = Math.min(to, piece.to);
      if (begin < end) take({ from: begin, to: end }, piece.at + (begin - piece.from) * piece.width, piece.width);
    }
  }

  /** The place in the stream of a letter. */
  placeOf(at: number): number {
    const piece = this.#pieces[this.#pieceAt(at)];
    return piece === undefined ? 0 : piece.at + (at - piece.from) * piece.width;
  }

  #pieceAt(at: number): number {
    let [low, high] = [0, this.#pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
