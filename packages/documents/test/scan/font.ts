import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A TrueType font as scans are painted with. */
export interface Font {
  readonly bytes: Buffer;
  /** Of 1,000 units to a size. */
  width(glyph: number): number;
  glyphOf(code: number): number;
  /** The closed lines around its ink, in units of 1,000 to a size; points that are not on a line bend it. */
  outline(glyph: number): readonly (readonly OutlinePoint[])[];
}

/** A point of an outline; `on` for one that the line goes through. */
export interface OutlinePoint {
  readonly x: number;
  readonly y: number;
  readonly on: boolean;
}

/** What the flags of a point say. Source: OpenType, glyf, simple glyph flags. */
const FLAG = { on: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 } as const;

/** Contours of a glyph that is not made of others, in units of the font. Source: OpenType, glyf, simple glyph description. */
function contoursOf(bytes: Buffer, at: number): OutlinePoint[][] {
  const count = bytes.readInt16BE(at);
  if (count < 0) throw new Error('the glyph is made of others');
  const ends = Array.from({ length: count }, (_, contour) => bytes.readUInt16BE(at + 10 + 2 * contour));
  let place = at + 10 + 2 * count;
  place += 2 + bytes.readUInt16BE(place);
  const total = (ends.at(-1) ?? -1) + 1;
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = bytes[place++]!;
    const times = (flag & FLAG.repeat) === 0 ? 1 : bytes[place++]! + 1;
    for (let again = 0; again < times; again++) flags.push(flag);
  }
  const along = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -bytes[place++]! : bytes[place++]!;
      else if ((flag & same) === 0) {
        value += bytes.readInt16BE(place);
        place += 2;
      }
      return value;
    });
  };
  const xs = along(FLAG.shortX, FLAG.sameX);
  const ys = along(FLAG.shortY, FLAG.sameY);
  const points = flags.map((flag, point) => ({ x: xs[point]!, y: ys[point]!, on: (flag & FLAG.on) !== 0 }));
  return ends.map((end, contour) => points.slice(contour === 0 ? 0 : ends[contour - 1]! + 1, end + 1));
}

/** Tables of a font by name: where they begin. Source: OpenType, font file. */
function tablesOf(bytes: Buffer): ReadonlyMap<string, number> {
  const count = bytes.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const entry = 12 + at * 16;
      return [bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8)] as const;
    }),
  );
}

/** Where the table of characters of format 12 is. Source: OpenType, cmap. */
function groupsAt(bytes: Buffer, cmap: number): number {
  for (let at = 0; at < bytes.readUInt16BE(cmap + 2); at++) {
    const table = cmap + bytes.readUInt32BE(cmap + 4 + at * 8 + 4);
    if (bytes.readUInt16BE(table) === 12) return table;
  }
  throw new Error('the font has no table of characters');
}

/** The console's own font, which has Korean letters. */
export function pretendard(): Font {
  const path = 'node_modules/pretendard/dist/public/static/alternative/Pretendard-Regular.ttf';
  const bytes = readFileSync(join(import.meta.dirname, '../../../..', path));
  const tables = tablesOf(bytes);
  const table = groupsAt(bytes, tables.get('cmap')!);
  const [hmtx, hhea, head] = [tables.get('hmtx')!, tables.get('hhea')!, tables.get('head')!];
  const [loca, glyf, wide] = [tables.get('loca')!, tables.get('glyf')!, bytes.readInt16BE(head + 50) === 1];
  const placeOf = (glyph: number) =>
    glyf + (wide ? bytes.readUInt32BE(loca + 4 * glyph) : 2 * bytes.readUInt16BE(loca + 2 * glyph));
  const [metrics, units] = [bytes.readUInt16BE(hhea + 34), bytes.readUInt16BE(head + 18)];
  return {
    bytes,
    width: (glyph) => (bytes.readUInt16BE(hmtx + Math.min(glyph, metrics - 1) * 4) * 1_000) / units,
    outline: (glyph) =>
      placeOf(glyph) === placeOf(glyph + 1)
        ? []
        : contoursOf(bytes, placeOf(glyph)).map((contour) =>
            contour.map(({ x, y, on }) => ({ x: (x * 1_000) / units, y: (y * 1_000) / units, on })),
          ),
    glyphOf(code) {
      for (let at = 0; at < bytes.readUInt32BE(table + 12); at++) {
        const group = table + 16 + at * 12;
        const [first, last] = [bytes.readUInt32BE(group), bytes.readUInt32BE(group + 4)];
        if (code >= first && code <= last) return bytes.readUInt32BE(group + 8) + code - first;
      }
      return 0;
    },
  };
}
