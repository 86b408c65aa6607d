import { writeCompound } from './hwp-writer/index.ts';

// Writes presentations of PowerPoint 97 for tests. Source: MS-PPT, MS-ODRAW.

const u16 = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

const record = (type: number, bytes: readonly number[], { version = 0, instance = 0 } = {}): number[] => [
  ...u16(version | (instance << 4)),
  ...u16(type),
  ...u32(bytes.length),
  ...bytes,
];
const container = (type: number, parts: readonly (readonly number[])[], instance = 0): number[] =>
  record(type, parts.flat(), { version: 0xf, instance });

/** A text of a kind; `style` are the looks of its paragraphs and letters. */
export interface PptText {
  readonly kind: number;
  readonly text: string;
  readonly style?: readonly number[];
}

/** Looks of a paragraph of so many letters: its level, and a bullet where that is said. */
export const paragraphLooks = (length: number, level: number, bullet?: boolean): number[] => [
  ...u32(length),
  ...u16(level),
  ...(bullet === undefined ? u32(0) : [...u32(1), ...u16(bullet ? 1 : 0)]),
];
/** Looks of so many letters. */
export const letterLooks = (length: number, bold: boolean): number[] => [
  ...u32(length),
  ...u32(1),
  ...u16(bold ? 1 : 0),
];

const textRecords = ({ kind, text, style }: PptText): number[] => [
  ...record(0x0f9f, u32(kind)),
  ...record(0x0fa0, [...Buffer.from(text, 'utf16le')]),
  ...(style === undefined ? [] : record(0x0fa1, style)),
];

/** A shape: where it stands (left, top, right, bottom), and its text or the one of the outline. */
export interface PptShape {
  readonly at: readonly [number, number, number, number];
  readonly text?: PptText;
  readonly outline?: number;
  readonly isPicture?: boolean;
  /** Shapes of a table. */
  readonly cells?: readonly PptShape[];
}

function shapeRecord({ at, text, outline, isPicture = false }: PptShape, inGroup: boolean): number[] {
  const [left, top, right, bottom] = at;
  const anchor = inGroup
    ? record(0xf00f, [left, top, right, bottom].flatMap(u32))
    : record(0xf010, [top, left, right, bottom].flatMap(u16));
  const inside = outline === undefined ? (text === undefined ? [] : textRecords(text)) : record(0x0f9e, u32(outline));
  return container(0xf004, [
    record(0xf00a, [...u32(1), ...u32(0)], { version: 2, instance: isPicture ? 75 : 1 }),
    anchor,
    ...(inside.length === 0 ? [] : [container(0xf00d, [inside])]),
  ]);
}

function groupRecord(shape: PptShape): number[] {
  const [left, top, right, bottom] = shape.at;
  const head = container(0xf004, [
    record(0xf009, [left, top, right, bottom].flatMap(u32)),
    record(0xf00a, [...u32(1), ...u32(1)], { version: 2 }),
    record(0xf122, [...u16(0x039f), ...u32(1)], { version: 3, instance: 1 }),
    record(0xf010, [top, left, right, bottom].flatMap(u16)),
  ]);
  return container(0xf003, [head, ...(shape.cells ?? []).map((cell) => shapeRecord(cell, true))]);
}

function drawing(shapes: readonly PptShape[]): number[] {
  const patriarch = container(0xf004, [
    record(0xf009, [0, 0, 0, 0].flatMap(u32)),
    record(0xf00a, [...u32(0), ...u32(5)]),
  ]);
  const own = shapes.map((shape) => (shape.cells === undefined ? shapeRecord(shape, false) : groupRecord(shape)));
  return container(0x040c, [container(0xf002, [container(0xf003, [patriarch, ...own])])]);
}

export interface PptForm {
  readonly slides: readonly {
    readonly shapes: readonly PptShape[];
    readonly outline?: readonly PptText[];
    readonly notes?: string;
    readonly hidden?: boolean;
  }[];
  readonly token?: number;
}

/** A presentation of PowerPoint 97 to 2003. */
export function writePpt({ slides, token = 0xe391c05f }: PptForm): Buffer {
  const slideId = (at: number) => 256 + at;
  const persist = (place: number, id: number) =>
    record(0x03f3, [...u32(place), ...u32(0), ...u32(0), ...u32(id), ...u32(0)]);
  const list = slides.flatMap(({ outline = [] }, at) => [
    ...persist(2 + at, slideId(at)),
    ...outline.flatMap(textRecords),
  ]);
  const notesAt = 2 + slides.length;
  const noted = slides.flatMap(({ notes }, at) => (notes === undefined ? [] : persist(notesAt + at, 512 + at)));
  const document = container(0x03e8, [
    record(0x03e9, [...u32(5_760), ...u32(4_320), ...Array.from({ length: 32 }, () => 0)]),
    container(0x0ff0, [list], 0),
    container(0x0ff0, [noted], 2),
  ]);
  const records = [
    document,
    ...slides.map(({ shapes, notes, hidden = false }, at) =>
      container(0x03ee, [
        record(0x03ef, [
          ...Array.from({ length: 12 }, () => 0),
          ...u32(0),
          ...u32(notes === undefined ? 0 : 512 + at),
          ...u32(0),
        ]),
        drawing(shapes),
        ...(hidden ? [record(0x03f9, [...u32(0), ...u32(0), 0, 0, ...u16(4), ...u32(0)])] : []),
      ]),
    ),
    ...slides.map(({ notes = '' }) =>
      container(0x03f0, [drawing([{ at: [0, 0, 100, 100], text: { kind: 2, text: notes } }])]),
    ),
  ];
  const stream: number[] = [];
  const places = records.map((one) => {
    const at = stream.length;
    stream.push(...one);
    return at;
  });
  const directoryAt = stream.length;
  stream.push(...record(0x1772, [...u32(1 | (places.length << 20)), ...places.flatMap(u32)]));
  const editAt = stream.length;
  stream.push(
    ...record(0x0ff5, [...u32(0), ...u32(0), ...u32(0), ...u32(directoryAt), ...u32(1), ...u32(0), ...u32(0)]),
  );
  return writeCompound({
    'PowerPoint Document': Buffer.from(stream),
    'Current User': Buffer.from(record(0x0ff6, [...u32(20), ...u32(token), ...u32(editAt), ...u32(0)])),
  });
}
