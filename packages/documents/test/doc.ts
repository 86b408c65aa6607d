import { writeCompound } from './hwp-writer/index.ts';

// Writes documents of Word 97 for tests. Source: MS-DOC.

const u16 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];
const utf16 = (text: string): number[] => [...Buffer.from(text, 'utf16le')];

/** A property by its code with its operand. */
export const sprm = (code: number, ...operand: number[]): number[] => [...u16(code), ...operand];

/** The definition of the cells of a row: where each ends, from 0, and how it is merged. */
export function rowOf(edges: readonly number[], merges: readonly number[] = []): number[] {
  const cells = edges.slice(1).flatMap((_, at) => [...u16(merges[at] ?? 0), ...Array.from({ length: 18 }, () => 0)]);
  const operand = [edges.length - 1, ...edges.flatMap((edge) => u16(edge)), ...cells];
  return [...sprm(0xd608), ...u16(operand.length + 1), ...operand];
}

/** A paragraph with what ends it: its text, its style, its properties, and those of parts of it. */
export interface DocParagraph {
  readonly text: string;
  readonly style?: number;
  readonly looks?: readonly number[];
  readonly runs?: readonly (readonly [from: number, to: number, looks: readonly number[]])[];
}

export interface DocStyleForm {
  readonly name: string;
  /** Number of Word's own style. */
  readonly own?: number;
  readonly looks?: readonly number[];
}

export interface DocForm {
  readonly paragraphs: readonly DocParagraph[];
  readonly styles?: readonly DocStyleForm[];
  /** Paragraphs of notes at the foot, in the order of their marks in the text. */
  readonly notes?: readonly DocParagraph[];
  /** Definitions of lists and uses of them, as they stand in the tables. */
  readonly lists?: {
    readonly definitions: readonly number[];
    readonly levels: readonly number[];
    readonly uses: readonly number[];
  };
  readonly data?: Uint8Array;
  readonly flags?: number;
  readonly version?: number;
  readonly kind?: number;
}

const TEXT_AT = 0x600;
const PAGE = 512;

interface Entry {
  readonly from: number;
  readonly to: number;
  readonly bytes: readonly number[];
}

/** A page of properties; each entry says its length before it. */
function pageOf(entries: readonly Entry[], kind: 'characters' | 'paragraphs'): Buffer {
  const page = Buffer.alloc(PAGE);
  const width = kind === 'characters' ? 1 : 13;
  let free = PAGE - 2;
  for (const [at, { from, to, bytes }] of entries.entries()) {
    page.writeUInt32LE(from, at * 4);
    page.writeUInt32LE(to, at * 4 + 4);
    const body = kind === 'characters' ? [bytes.length, ...bytes] : [0, Math.ceil(bytes.length / 2), ...bytes];
    free = (free - body.length) & ~1;
    page.set(body, free);
    page[(entries.length + 1) * 4 + at * width] = free / 2;
  }
  page[PAGE - 1] = entries.length;
  return page;
}

/** As many as one page surely holds. */
const PAGE_ENTRIES = 4;
const partsOf = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / PAGE_ENTRIES) }, (_, at) =>
    entries.slice(at * PAGE_ENTRIES, (at + 1) * PAGE_ENTRIES),
  );

function stylesOf(styles: readonly DocStyleForm[]): number[] {
  const written = styles.map(({ name, own = 0xffe, looks = [] }, at) => {
    const base = [...u16(own), ...u16(1 | (0xfff << 4)), ...u16(2), ...u16(0), ...u16(0)];
    const paragraph = [...u16(at), ...looks];
    const style = [...base, ...u16(name.length), ...utf16(name), ...u16(0), ...u16(paragraph.length), ...paragraph];
    if ((style.length & 1) !== 0) style.push(0);
    return [...u16(style.length + 2), ...style, ...u16(0)];
  });
  return [...u16(18), ...u16(styles.length), ...u16(10), ...Array.from({ length: 14 }, () => 0), ...written.flat()];
}

/** A document of Word 97 to 2003. */
export function writeDoc(form: DocForm): Buffer {
  const { paragraphs, notes = [], styles = [{ name: 'Normal', own: 0 }], lists, data } = form;
  const body = paragraphs.map(({ text }) => text).join('');
  const all = [...paragraphs, ...notes];
  const text = all.map((one) => one.text).join('');
  const place = (at: number) => TEXT_AT + at * 2;
  const paragraphEntries: Entry[] = [];
  const characterEntries: Entry[] = [];
  let at = 0;
  let said = 0;
  for (const { text: own, style = 0, looks = [], runs = [] } of all) {
    paragraphEntries.push({ from: place(at), to: place(at + own.length), bytes: [...u16(style), ...looks] });
    for (const [from, to, bytes] of runs) {
      characterEntries.push({ from: place(said), to: place(at + from), bytes: [] });
      characterEntries.push({ from: place(at + from), to: place(at + to), bytes: [...bytes] });
      said = at + to;
    }
    at += own.length;
  }
  characterEntries.push({ from: place(said), to: place(text.length), bytes: [] });
  const firstPage = Math.ceil(place(text.length) / PAGE);
  const paragraphPages = partsOf(paragraphEntries);
  const characterPages = partsOf(characterEntries);
  const pages = [
    ...paragraphPages.map((entries) => pageOf(entries, 'paragraphs')),
    ...characterPages.map((entries) => pageOf(entries, 'characters')),
  ];
  const main = Buffer.alloc((firstPage + pages.length) * PAGE);
  main.write(text, TEXT_AT, 'utf16le');
  for (const [index, page] of pages.entries()) page.copy(main, (firstPage + index) * PAGE);
  const pagesTable = (parts: readonly (readonly Entry[])[], first: number) => [
    ...parts.flatMap(([entry]) => u32(entry?.from ?? 0)),
    ...u32(place(text.length)),
    ...parts.flatMap((_, index) => u32(first + index)),
  ];
  const table: number[] = [];
  const put = (pair: number, bytes: readonly number[], behind: readonly number[] = []) => {
    main.writeUInt32LE(table.length, 0x9a + pair * 8);
    main.writeUInt32LE(bytes.length, 0x9a + pair * 8 + 4);
    table.push(...bytes, ...behind);
  };
  put(1, stylesOf(styles));
  put(12, pagesTable(characterPages, firstPage + paragraphPages.length));
  put(13, pagesTable(paragraphPages, firstPage));
  put(33, [2, ...u32(16), ...u32(0), ...u32(text.length), ...u16(0), ...u32(TEXT_AT), ...u16(0)]);
  if (notes.length > 0) {
    const marks = [...body].flatMap((letter, index) => (letter === '\u0002' ? [index] : []));
    const ends = notes.map((_, index) => notes.slice(0, index + 1).reduce((sum, note) => sum + note.text.length, 0));
    put(2, [...[...marks, body.length].flatMap(u32), ...marks.flatMap(() => u16(1))]);
    put(3, [0, ...ends, ends.at(-1) ?? 0].flatMap(u32));
  }
  if (lists !== undefined) {
    put(73, lists.definitions, lists.levels);
    put(74, lists.uses);
  }
  main.writeUInt16LE(form.kind ?? 0xa5ec, 0);
  main.writeUInt16LE(form.version ?? 0xc1, 2);
  main.writeUInt16LE(0x0200 | (form.flags ?? 0), 0x0a);
  main.writeUInt32LE(body.length, 0x4c);
  main.writeUInt32LE(text.length - body.length, 0x50);
  return writeCompound({
    WordDocument: main,
    '1Table': Buffer.from(table),
    ...(data === undefined ? {} : { Data: Buffer.from(data) }),
  });
}

/** A list of one level: numbers in Korean syllables (가.), used by paragraphs as list 1. */
export const koreanList: NonNullable<DocForm['lists']> = {
  definitions: [...u16(1), ...u32(7), ...u32(0), ...Array.from({ length: 18 }, () => 0), 1, 0],
  levels: [...u32(1), 24, 0, ...Array.from({ length: 22 }, () => 0), ...u16(2), ...utf16('\0.')],
  uses: [...u32(1), ...u32(7), ...Array.from({ length: 12 }, () => 0), ...u32(0xffffffff)],
};

/** The data of a box to tick. */
export function boxData(name: string, isChecked: boolean): Buffer {
  const field = [
    ...u32(0xffffffff),
    ...u16(1 | ((isChecked ? 1 : 0) << 2)),
    ...u16(0),
    ...u16(20),
    ...u16(name.length),
  ];
  const body = [...field, ...utf16(name), ...u16(0), ...u16(0), ...Array.from({ length: 20 }, () => 0)];
  return Buffer.from([...u32(68 + body.length), ...u16(68), ...Array.from({ length: 62 }, () => 0), ...body]);
}
