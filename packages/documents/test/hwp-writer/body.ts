import { counted, letters, node, numbers } from './records.ts';
import type { RecordNode } from './records.ts';

/** Something in a paragraph that is no letter. */
export interface Anchor {
  readonly code: number;
  readonly id: string;
  /** Null for one whose record is missing. */
  readonly record: RecordNode | null;
}

export type Piece = string | Anchor;

export interface ParagraphFacts {
  readonly shape?: number;
  readonly style?: number;
  /** Char shapes from a place in the text on, by number. */
  readonly chars?: readonly (readonly [at: number, shape: number])[];
  /** Tops of its lines in 1/7200 inch; a line is 1000 high. */
  readonly lines?: readonly number[];
  /** Of its lines, in 1/7200 inch; 0, which says nothing, when left out. */
  readonly lineWidth?: number;
  readonly breakPage?: boolean;
  /** Ranges whose text was deleted. */
  readonly deleted?: readonly (readonly [from: number, to: number])[];
  /** Memos that hang on it. */
  readonly memos?: readonly string[];
  /** What stands on the master page of the last page of its section. */
  readonly lastMaster?: string;
}

const anchorUnits = ({ code, id }: Anchor): Buffer =>
  Buffer.concat([numbers([2, code]), letters(id), Buffer.alloc(8), numbers([2, code])]);

const tabUnits = numbers([2, 9], [4, 4000], [2, 0], [4, 0], [2, 0], [2, 9]);

const textUnits = (text: string): Buffer =>
  Buffer.concat(
    text.split('\t').flatMap((part, index) => [...(index === 0 ? [] : [tabUnits]), Buffer.from(part, 'utf16le')]),
  );

export const paragraph = (pieces: readonly Piece[] | string, facts: ParagraphFacts = {}): RecordNode => {
  const list = typeof pieces === 'string' ? [pieces] : pieces;
  const text = Buffer.concat([
    ...list.map((piece) => (typeof piece === 'string' ? textUnits(piece) : anchorUnits(piece))),
    numbers([2, 13]),
  ]);
  const anchors = list.flatMap((piece) => (typeof piece === 'string' || piece.record === null ? [] : [piece.record]));
  const chars = facts.chars ?? [[0, 0]];
  const lines = facts.lines ?? [];
  const head = numbers(
    [4, text.length / 2],
    [4, 0],
    [2, facts.shape ?? 0],
    [1, facts.style ?? 0],
    [1, facts.breakPage ? 4 : 0],
    [2, chars.length],
    [2, facts.deleted?.length ?? 0],
    [2, lines.length],
    [4, 0],
  );
  return node(0x42, head, [
    node(0x43, text),
    node(0x44, numbers(...chars.flatMap(([at, shape]) => [[4, at] as const, [4, shape] as const]))),
    ...(lines.length === 0
      ? []
      : [
          node(
            0x45,
            Buffer.concat(
              lines.map((top) =>
                Buffer.concat([
                  numbers([4, 0], [4, top], [4, 1000]),
                  Buffer.alloc(16),
                  numbers([4, facts.lineWidth ?? 0], [4, 0]),
                ]),
              ),
            ),
          ),
        ]),
    ...(facts.deleted === undefined
      ? []
      : [node(0x46, Buffer.concat(facts.deleted.map(([from, to]) => numbers([4, from], [4, to], [4, 0x11000001]))))]),
    ...anchors,
    ...(facts.memos ?? []).flatMap((memo) => [
      node(0x5d, numbers([4, 1])),
      ...listHead(Buffer.alloc(8), [paragraph(memo)]),
    ]),
    ...(facts.lastMaster === undefined ? [] : listHead(Buffer.alloc(26), [paragraph(facts.lastMaster)])),
  ]);
};

const control = (code: number, id: string, data: Buffer, children: readonly RecordNode[] = []): Anchor => ({
  code,
  id,
  record: node(0x47, Buffer.concat([letters(id), data]), children),
});

const listHead = (data: Buffer, paragraphs: readonly RecordNode[], properties = 0): RecordNode[] => [
  node(0x48, Buffer.concat([numbers([4, paragraphs.length], [4, properties]), data])),
  ...paragraphs,
];

/** What tables and drawings begin with; `inline` stands in the line like a letter, others at the top of a paragraph. */
const frame = (inline: boolean, description = '', top = 0): Buffer =>
  Buffer.concat([
    numbers([4, inline ? 0x11 : 0x200010], [4, top], [4, 0], [4, 30_000], [4, 5000], [4, 0]),
    Buffer.alloc(16),
    counted(description),
  ]);

export interface WrittenCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan?: number;
  readonly columnSpan?: number;
  readonly header?: boolean;
  readonly height?: number;
  readonly fill?: number;
  readonly content: readonly RecordNode[];
}

export interface WrittenTable {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly WrittenCell[];
  readonly caption?: readonly RecordNode[];
  readonly inline?: boolean;
}

const cell = (one: WrittenCell): RecordNode[] =>
  listHead(
    numbers(
      [2, one.column],
      [2, one.row],
      [2, one.columnSpan ?? 1],
      [2, one.rowSpan ?? 1],
      [4, 10_000],
      [4, one.height ?? 1000],
      [4, 0],
      [4, 0],
      [2, one.fill ?? 0],
      [4, 0],
    ),
    one.content,
    one.header ? 1 << 18 : 0,
  );

export const table = (one: WrittenTable): Anchor =>
  control(11, 'tbl ', frame(one.inline ?? false), [
    ...(one.caption === undefined ? [] : listHead(Buffer.alloc(14), one.caption)),
    node(
      0x4d,
      Buffer.concat([
        numbers([4, 2], [2, one.rows], [2, one.columns]),
        Buffer.alloc(10),
        Buffer.alloc(one.rows * 2),
        numbers([2, 0]),
      ]),
    ),
    ...one.cells.flatMap(cell),
  ]);

/** A table of one paragraph a cell. */
export const simpleTable = (rows: readonly (readonly string[])[]): Anchor =>
  table({
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    cells: rows.flatMap((texts, row) => texts.map((text, column) => ({ row, column, content: [paragraph(text)] }))),
  });

export const note = (kind: 'fn  ' | 'en  ', number: number, text: readonly Piece[] | string): Anchor =>
  control(17, kind, numbers([4, number], [2, 0], [2, 0x29], [4, 0], [4, 1]), [
    ...listHead(Buffer.alloc(8), [
      paragraph([autoNumber(kind === 'fn  ' ? 1 : 2, number), ...(typeof text === 'string' ? [` ${text}`] : text)]),
    ]),
  ]);

export const autoNumber = (kind: number, number: number): Anchor =>
  control(18, 'atno', numbers([4, kind], [2, number], [2, 0], [2, 0], [2, kind === 1 || kind === 2 ? 0x29 : 0]));

export const comment = (text: string): Anchor =>
  control(15, 'tcmt', Buffer.alloc(0), listHead(Buffer.alloc(8), [paragraph(text)]));

export const margin = (kind: 'head' | 'foot', content: readonly Piece[] | string): Anchor =>
  control(16, kind, Buffer.alloc(8), listHead(Buffer.alloc(26), [paragraph(content)]));

export const equation = (script: string): Anchor =>
  control(11, 'eqed', frame(true), [node(0x58, Buffer.concat([numbers([4, 0]), counted(script), Buffer.alloc(20)]))]);

export const ruby = (main: string, sub: string): Anchor =>
  control(23, 'tdut', Buffer.concat([counted(main), counted(sub), Buffer.alloc(20)]));

export const link = (address: string): Anchor =>
  control(
    3,
    '%hlk',
    Buffer.concat([Buffer.alloc(5), counted(`${address.replaceAll(':', '\\:')};1;0;0;`), numbers([4, 7])]),
  );

export const linkEnd: Anchor = { code: 4, id: '%hlk', record: null };

const component = (id: string, x: number, y: number, children: readonly RecordNode[], outer: boolean): RecordNode =>
  node(
    0x4c,
    Buffer.concat([
      ...(outer ? [letters(id)] : []),
      letters(id),
      numbers([4, x], [4, y], [4, 0], [4, 1000], [4, 1000], [4, 1000], [4, 1000]),
    ]),
    children,
  );

/** A frame with paragraphs in it. */
export const textBox = (content: readonly RecordNode[], inline = false): Anchor =>
  control(11, 'gso ', frame(inline), [
    component('$rec', 0, 0, [...listHead(Buffer.alloc(12), content), node(0x4f, Buffer.alloc(33))], true),
  ]);

/** A frame at a fixed place, counted from the upper edge of the paper in 1/7200 inch. */
export const fixedBox = (text: string, top: number): Anchor => {
  const data = frame(false, '', top);
  data.writeUInt32LE(0x400000, 0);
  return control(11, 'gso ', data, [
    component('$rec', 0, 0, [...listHead(Buffer.alloc(12), [paragraph(text)]), node(0x4f, Buffer.alloc(33))], true),
  ]);
};

/** Frames that are grouped, each at its own place. */
export const group = (parts: readonly { readonly x: number; readonly y: number; readonly text: string }[]): Anchor =>
  control(11, 'gso ', frame(false), [
    component(
      '$con',
      0,
      0,
      parts.map(({ x, y, text }) => component('$rec', x, y, listHead(Buffer.alloc(12), [paragraph(text)]), false)),
      true,
    ),
  ]);

export const picture = (description: string, caption?: readonly RecordNode[]): Anchor =>
  control(11, 'gso ', frame(true, description), [
    ...(caption === undefined ? [] : listHead(Buffer.alloc(14), caption)),
    component('$pic', 0, 0, [node(0x55, Buffer.alloc(90))], true),
  ]);

/** What a section begins with: an A4 page, and the numbering of its outline. */
export const sectionStart = (outline = 1, landscape = false): Anchor =>
  control(2, 'secd', Buffer.concat([Buffer.alloc(14), numbers([2, outline]), Buffer.alloc(20)]), [
    node(
      0x49,
      numbers(
        [4, 59_528],
        [4, 84_188],
        [4, 8504],
        [4, 8504],
        [4, 5668],
        [4, 4252],
        [4, 4252],
        [4, 4252],
        [4, 0],
        [4, landscape ? 1 : 0],
      ),
    ),
  ]);

/** Columns of one width with this gap between them, else of widths that are not told. */
export const columns = (count: number, gap?: number): Anchor =>
  control(
    2,
    'cold',
    Buffer.concat([numbers([2, (count << 2) | (gap === undefined ? 0 : 0x1000)], [2, gap ?? 0]), Buffer.alloc(8)]),
  );

/** An embedded object by its number, from 1. */
export const embedded = (number: number): Anchor =>
  control(11, 'gso ', frame(true), [
    component(
      '$ole',
      0,
      0,
      [node(0x54, numbers([4, 1], [4, 7200], [4, 7200], [2, number], [4, 0], [4, 0], [4, 0]))],
      true,
    ),
  ]);

const setting = (name: string, value: string | number | boolean): string =>
  typeof value === 'string'
    ? `${name}:wstring:${value.length}:${value} `
    : typeof value === 'number'
      ? `${name}:int:${value} `
      : `${name}:bool:${value ? 1 : 0} `;
const set = (name: string, settings: Readonly<Record<string, string | number | boolean>>): string => {
  const text = Object.entries(settings)
    .map(([key, value]) => setting(key, value))
    .join('');
  return `${name}:set:${text.length}:${text} `;
};

/** A field of a form or a button: its kind by four letters (`+cbt`, `+rbt`, `+cob`, `+edt`, `+pbt`), its name and its settings. */
export const form = (
  kind: string,
  name: string,
  settings: Readonly<Record<string, string | number | boolean>>,
): Anchor => {
  const text = Buffer.from(set('CommonSet', { Name: name, TabStop: true }) + set('ButtonSet', settings), 'utf16le');
  const head = Buffer.concat([letters(kind), letters(kind), numbers([4, text.length / 2], [2, text.length / 2])]);
  return control(11, 'form', frame(true), [node(0x5b, Buffer.concat([head, text]))]);
};

/** Letters over each other. */
export const overlaid = (text: string): Anchor => control(23, 'tcps', Buffer.concat([counted(text), Buffer.alloc(10)]));
