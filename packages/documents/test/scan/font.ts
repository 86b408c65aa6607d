import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A TrueType font as scans are painted with. */
export interface Font {
  readonly bytes: Buffer;
  /** Of 1,000 units to a size. */
  width(glyph: number): number;
  glyphOf(code: number): number;
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
  const [metrics, units] = [bytes.readUInt16BE(hhea + 34), bytes.readUInt16BE(head + 18)];
  return {
    bytes,
    width: (glyph) => (bytes.readUInt16BE(hmtx + Math.min(glyph, metrics - 1) * 4) * 1_000) / units,
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
