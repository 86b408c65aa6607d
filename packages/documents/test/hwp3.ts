import { deflateRawSync } from 'node:zlib';

// Writes documents of HWP 3. Source: Hancom, HWP document file format 3.0.

/** Bytes of a control, and how many letters it counts as. */
export interface Control {
  readonly bytes: Buffer;
  readonly letters: number;
}
export type Piece = string | number | Control;

export interface ParagraphForm {
  /** Number of its style. */
  readonly style?: number;
  /** 1/25 point. */
  readonly size?: number;
  readonly bold?: boolean;
  /** For each of its lines whether it begins a page. */
  readonly lines?: readonly boolean[];
  /** Bold letters by their places, for a paragraph whose letters look different. */
  readonly boldAt?: readonly number[];
}

const number = (bytes: 1 | 2 | 4, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};
const u16 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => number(2, value)));

const initials = Array.from({ length: 19 }, (_, at) => at + 2);
const medials = [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29];
const finals = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29];

/** A letter of ASCII or a syllable of Hangul in the code of the format. */
const codeOf = (letter: string): number => {
  const code = letter.codePointAt(0)!;
  if (code < 0x80) return code;
  const at = code - 0xac00;
  const [initial, medial, final] = [Math.floor(at / 588), Math.floor(at / 28) % 21, at % 28];
  return 0x8000 | (initials[initial]! << 10) | (medials[medial]! << 5) | finals[final]!;
};

const look = ({ size = 250, bold = false }: ParagraphForm): Buffer => {
  const bytes = Buffer.alloc(31);
  bytes.writeUInt16LE(size, 0);
  bytes[26] = bold ? 2 : 0;
  return bytes;
};

/** A paragraph; numbers among its pieces are codes of letters. */
export function paragraph(pieces: readonly Piece[] | string, form: ParagraphForm = {}): Buffer {
  const list = typeof pieces === 'string' ? [pieces] : pieces;
  const lines = form.lines ?? [];
  let letters = 1;
  const text: Buffer[] = [];
  for (const piece of list) {
    if (typeof piece === 'string') text.push(u16(...Array.from(piece, codeOf)));
    else text.push(typeof piece === 'number' ? u16(piece) : piece.bytes);
    letters += typeof piece === 'string' ? Array.from(piece).length : typeof piece === 'number' ? 1 : piece.letters;
  }
  const shapes = form.boldAt;
  return Buffer.concat([
    number(1, 0),
    u16(letters, lines.length),
    Buffer.from([shapes === undefined ? 0 : 1, 0, 0, 0, 0, 0, form.style ?? 0]),
    look(form),
    Buffer.alloc(187),
    ...lines.map((begins) => Buffer.concat([Buffer.alloc(12), u16(begins ? 0x8001 : 0)])),
    ...(shapes === undefined
      ? []
      : Array.from({ length: letters }, (_, at) =>
          Buffer.concat([number(1, 0), look({ ...form, bold: shapes.includes(at) })]),
        )),
    ...text,
    u16(13),
  ]);
}

/** Paragraphs, and the empty one that ends their list. */
export const list = (...paragraphs: readonly Buffer[]): Buffer => Buffer.concat([...paragraphs, Buffer.alloc(43)]);

/** A control whose code closes it again. */
const closed = (code: number, data: Buffer): Control => ({
  bytes: Buffer.concat([u16(code), data, u16(code)]),
  letters: (data.length + 4) / 2,
});
const open = (code: number, data: Buffer, length = 0): Control => ({
  bytes: Buffer.concat([u16(code), number(4, length), u16(code), data]),
  letters: 4,
});

export const tab = closed(9, u16(4000, 0));
export const autoNumber = (kind: number, value: number): Control => closed(18, u16(kind, value));
export const note = (kind: 'footnote' | 'endnote', value: number, ...paragraphs: readonly Buffer[]): Control =>
  open(17, Buffer.concat([Buffer.alloc(8), u16(value, kind === 'endnote' ? 1 : 0, 0), list(...paragraphs)]));
export const comment = (...paragraphs: readonly Buffer[]): Control =>
  open(15, Buffer.concat([Buffer.alloc(8), list(...paragraphs)]));
export const margin = (kind: 'header' | 'footer', ...paragraphs: readonly Buffer[]): Control =>
  open(16, Buffer.concat([Buffer.alloc(8), Buffer.from([kind === 'footer' ? 1 : 0, 0]), list(...paragraphs)]));
export const bookmark: Control = open(6, Buffer.alloc(34));
export const field = (data: Buffer): Control => open(5, data, data.length);
export const dateCode = (year: number, month: number, day: number): Control => {
  const date = Buffer.concat([Buffer.alloc(80), u16(year, month, 0, day, 0, 0)]);
  return closed(8, date);
};

/** The number of an outline: its shape, its level from 0, and the numbers of the levels. */
export function outline(shape: number, level: number, numbers: readonly number[]): Control {
  const data = Buffer.alloc(60);
  data[2] = shape;
  data[3] = level;
  for (const [at, value] of numbers.entries()) data.writeUInt16LE(value, 4 + at * 2);
  return closed(28, data);
}

export interface CellForm {
  /** Left, top, width and height in 1/1800 inch. */
  readonly at: readonly [number, number, number, number];
  readonly content: readonly Buffer[];
}

/** A table (0), a frame (1), an equation (2) or a button (3). */
export function box(kind: number, cells: readonly CellForm[], caption: readonly Buffer[] = [], inLine = true): Control {
  const info = Buffer.alloc(84);
  info[8] = inLine ? 0 : 1;
  info.writeUInt16LE(kind, 78);
  info.writeUInt16LE(cells.length, 80);
  const heads = cells.map(({ at }) => {
    const head = Buffer.alloc(27);
    for (const [nth, value] of at.entries()) head.writeUInt16LE(value, 4 + nth * 2);
    return head;
  });
  return open(10, Buffer.concat([info, ...heads, ...cells.map(({ content }) => list(...content)), list(...caption)]));
}

/** A table of cells of one size. */
export const table = (rows: readonly (readonly string[])[], caption: readonly Buffer[] = []): Control =>
  box(
    0,
    rows.flatMap((texts, row) =>
      texts.map((text, column): CellForm => ({
        at: [column * 1000, row * 500, 1000, 500],
        content: [paragraph(text)],
      })),
    ),
    caption,
  );

const picture = (kind: number, data: Buffer, caption: readonly Buffer[]): Control => {
  const info = Buffer.alloc(348);
  info.writeUInt32LE(data.length, 0);
  info[74] = kind;
  return open(11, Buffer.concat([info, data, list(...caption)]));
};
export const image = (...caption: readonly Buffer[]): Control => picture(2, Buffer.from('pixels'), caption);

/** A shape of a drawing: where it stands, and what is written in it. */
export interface Shape {
  readonly at: readonly [x: number, y: number];
  readonly text?: readonly Buffer[];
  readonly children?: readonly Shape[];
}

const shapes = (all: readonly Shape[]): Buffer =>
  Buffer.concat(
    all.map(({ at: [x, y], text, children = [] }, nth) => {
      const head = Buffer.alloc(88);
      head.writeUInt16LE(text === undefined ? 2 : 6, 0);
      head.writeUInt16LE((nth < all.length - 1 ? 1 : 0) | (children.length > 0 ? 2 : 0), 2);
      head.writeInt32LE(400, 16);
      head.writeInt32LE(x, 20);
      head.writeInt32LE(y, 24);
      const data = text === undefined ? Buffer.alloc(0) : list(...text);
      return Buffer.concat([number(4, 88), head, number(4, 0), number(4, data.length), data, shapes(children)]);
    }),
  );
export const drawing = (...all: readonly Shape[]): Control =>
  picture(3, Buffer.concat([number(4, 24), Buffer.alloc(24), shapes(all)]), []);

export interface Hwp3Form {
  readonly paragraphs: readonly Buffer[];
  readonly title?: string;
  readonly author?: string;
  /** Names of styles; letters of ASCII alone, or bytes of the format. */
  readonly styles?: readonly (string | Buffer)[];
  readonly compressed?: boolean;
  readonly encrypted?: boolean;
}

const summaryField = (text: string): Buffer => {
  const bytes = Buffer.alloc(112);
  u16(...Array.from(text, codeOf)).copy(bytes);
  return bytes;
};

export const signature = Buffer.from('HWP Document File V3.00 \x1a\x01\x02\x03\x04\x05', 'latin1');

/** Writes a document of HWP 3 on A4. */
export function writeHwp3({
  paragraphs,
  title = '',
  author = '',
  styles = [],
  compressed = true,
  encrypted,
}: Hwp3Form): Buffer {
  const info = Buffer.alloc(128);
  info.writeUInt16LE(21_050, 6);
  info.writeUInt16LE(14_875, 8);
  info.writeUInt16LE(encrypted ? 1 : 0, 96);
  info[124] = compressed ? 1 : 0;
  const names = styles.map((name) => {
    const record = Buffer.alloc(238);
    (typeof name === 'string' ? Buffer.from(name, 'latin1') : name).copy(record);
    return record;
  });
  const body = Buffer.concat([
    ...Array.from({ length: 7 }, () => Buffer.concat([u16(1), Buffer.alloc(40)])),
    u16(names.length),
    ...names,
    list(...paragraphs),
  ]);
  return Buffer.concat([
    signature,
    info,
    ...[title, '', author, '', '', '', '', '', ''].map(summaryField),
    compressed ? deflateRawSync(body) : body,
  ]);
}
