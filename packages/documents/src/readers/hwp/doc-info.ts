import { createCursor, i32At, u16At, u32At } from './bytes.ts';
import type { Cursor } from './bytes.ts';
import { recordTrees, recordTags } from './records.ts';
import type { TreeRecord } from './records.ts';
import { append } from '../../package/append.ts';

/** How letters look. */
export interface CharShape {
  /** Hundredths of a point. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strike: boolean;
  readonly script: 'super' | 'sub' | null;
  /** 0xBBGGRR. */
  readonly colour: number;
  readonly shaded: boolean;
}

/** What stands before a paragraph: nothing, its number in the outline, a number, a bullet. */
export type HeadKind = 'none' | 'outline' | 'number' | 'bullet';

export interface ParaShape {
  readonly head: HeadKind;
  /** 0 is the outermost. */
  readonly level: number;
  /** Of the numbering or the bullet, from 1. */
  readonly headId: number;
  readonly breakBefore: boolean;
  readonly alignment: number;
  readonly borderFill: number;
  /** Its mark is ticked, where that can be. */
  readonly checked: boolean;
}

/** A bullet, and what it is where its paragraph is ticked; empty for one that can't be. */
export interface Bullet {
  readonly sign: string;
  readonly checkedSign: string;
}

export interface Style {
  readonly name: string;
  readonly englishName: string;
  readonly paraShape: number;
}

export interface NumberLevel {
  /** With `^1` to `^9` for the numbers of levels, `^n` for all of them joined by dots. */
  readonly pattern: string;
  readonly kind: number;
  readonly start: number;
}

export interface BinItem {
  readonly kind: 'link' | 'embedded' | 'storage';
  /** Name of the stream in `BinData`; empty for a link. */
  readonly name: string;
}

/** What the paragraphs of a document refer to by number. */
export interface DocInfo {
  readonly charShapes: readonly CharShape[];
  readonly paraShapes: readonly ParaShape[];
  readonly styles: readonly Style[];
  readonly numberings: readonly (readonly NumberLevel[])[];
  readonly bullets: readonly Bullet[];
  readonly binItems: readonly BinItem[];
  /** True when a fill, by its number from 0, has a colour that is not white. */
  readonly fills: readonly boolean[];
  /** Changes were tracked: some ranges of text may be deleted ones. */
  readonly tracked: boolean;
}

const headKinds: readonly HeadKind[] = ['none', 'outline', 'number', 'bullet'];
const WHITE_RGB = 0xffffff;

/** A line through the letters of this shape is set by some versions on all text, and shown by none. */
const NO_LINE_SHAPE = 15;

const readCharShape = (data: Uint8Array): CharShape => {
  const properties = u32At(data, 46);
  const superscript = (properties & (1 << 15)) !== 0;
  const subscript = (properties & (1 << 16)) !== 0;
  const shade = u32At(data, 60);
  return {
    size: i32At(data, 42),
    italic: (properties & 1) !== 0,
    bold: (properties & 2) !== 0,
    strike: ((properties >>> 18) & 7) !== 0 && ((properties >>> 26) & 0xf) !== NO_LINE_SHAPE,
    script: superscript ? 'super' : subscript ? 'sub' : null,
    colour: u32At(data, 52) & WHITE_RGB,
    shaded: shade !== 0xffffffff && (shade & WHITE_RGB) !== WHITE_RGB,
  };
};

/** Of the second properties of a paragraph's shape, and of a bullet. Source: what Hancom Office writes for such lists. */
const PARAGRAPH_CHECKED = 1 << 7;
const BULLET_CHECKABLE = 1 << 5;
/** Behind the sign, and the picture in its place. */
const BULLET_CHECKED_OFFSET = 23;

const readParaShape = (data: Uint8Array): ParaShape => {
  const properties = u32At(data, 0);
  const level = (properties >>> 25) & 7;
  // Levels beyond the seventh stand at the end of the record, since 5.1.
  const extended = data.length >= 58 ? u32At(data, 54) : 0;
  return {
    head: headKinds[(properties >>> 23) & 3]!,
    level: extended >= 7 && extended <= 9 ? extended : level,
    headId: u16At(data, 30),
    breakBefore: (properties & (1 << 19)) !== 0,
    alignment: (properties >>> 2) & 7,
    borderFill: u16At(data, 32),
    checked: (u32At(data, 42) & PARAGRAPH_CHECKED) !== 0,
  };
};

const readBullet = (data: Uint8Array): Bullet => {
  const checkable = (u32At(data, 0) & BULLET_CHECKABLE) !== 0;
  return {
    sign: createCursor(data, 12).units(1),
    checkedSign:
      checkable && data.length >= BULLET_CHECKED_OFFSET + 2 ? createCursor(data, BULLET_CHECKED_OFFSET).units(1) : '',
  };
};

const readStyle = (data: Uint8Array): Style => {
  const cursor = createCursor(data);
  const name = cursor.text();
  const englishName = cursor.text();
  cursor.skip(4);
  return { name, englishName, paraShape: cursor.u16() };
};

const readLevels = (cursor: Cursor, count: number): { pattern: string; kind: number }[] =>
  Array.from({ length: count }, () => {
    const properties = cursor.u32();
    cursor.skip(8);
    return { pattern: cursor.text(), kind: (properties >>> 5) & 0xf };
  });

const readNumbering = (data: Uint8Array): NumberLevel[] => {
  const cursor = createCursor(data);
  const levels = readLevels(cursor, 7);
  const start = cursor.u16();
  const starts = levels.map(() => (cursor.left >= 4 ? cursor.u32() : start));
  if (cursor.left >= 14) {
    append(levels, readLevels(cursor, 3));
    for (let level = 7; level < 10; level += 1) starts.push(cursor.left >= 4 ? cursor.u32() : 1);
  }
  return levels.map((level, index) => ({ ...level, start: Math.min(starts[index] ?? 1, 0xffff) }));
};

const readBinItem = (data: Uint8Array): BinItem => {
  const cursor = createCursor(data);
  const kind = cursor.u16() & 0xf;
  if (kind === 0) return { kind: 'link', name: '' };
  const number = cursor.u16().toString(16).toUpperCase().padStart(4, '0');
  const extension = cursor.text().slice(0, 32);
  return kind === 1
    ? { kind: 'embedded', name: `BIN${number}.${extension}` }
    : { kind: 'storage', name: `BIN${number}.${extension === '' ? 'OLE' : extension}` };
};

const hasColour = (data: Uint8Array): boolean => {
  const kind = u32At(data, 32);
  if ((kind & 4) !== 0 || (kind & 2) !== 0) return true;
  const colour = u32At(data, 36);
  return (kind & 1) !== 0 && colour !== 0xffffffff && (colour & WHITE_RGB) !== WHITE_RGB;
};

/** Reads the shared facts of a document; what is missing or damaged is taken as plain. */
export const readDocInfo = (bytes: Uint8Array, onDamage: () => void): DocInfo => {
  const info = {
    charShapes: [] as CharShape[],
    paraShapes: [] as ParaShape[],
    styles: [] as Style[],
    numberings: [] as NumberLevel[][],
    bullets: [] as Bullet[],
    binItems: [] as BinItem[],
    fills: [] as boolean[],
    tracked: false,
  };
  const readers: Readonly<Record<number, (data: Uint8Array) => void>> = {
    [recordTags.charShape]: (data) => info.charShapes.push(readCharShape(data)),
    [recordTags.paraShape]: (data) => info.paraShapes.push(readParaShape(data)),
    [recordTags.style]: (data) => info.styles.push(readStyle(data)),
    [recordTags.numbering]: (data) => info.numberings.push(readNumbering(data)),
    [recordTags.bullet]: (data) => info.bullets.push(readBullet(data)),
    [recordTags.binData]: (data) => info.binItems.push(readBinItem(data)),
    [recordTags.borderFill]: (data) => info.fills.push(hasColour(data)),
    [recordTags.trackChange]: () => {
      info.tracked = true;
    },
  };
  const visit = (record: TreeRecord, depth: number): void => {
    readers[record.tag]?.(record.data);
    if (depth < 4) for (const child of record.children) visit(child, depth + 1);
  };
  for (const record of recordTrees(bytes, onDamage)) visit(record, 0);
  return info;
};
