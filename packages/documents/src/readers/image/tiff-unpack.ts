import { inflateSync } from 'node:zlib';
import { type TiffEntry, type TiffReading, entriesAt, readingOf, valuesOf } from './tiff.ts';

// Packings of TIFF pages that the library does not know are taken off here: Deflate by writing the page unpacked, JPEG by giving its
// strips as files of their own. Source: TIFF 6.0; TIFF Technical Note 2 (JPEG); Adobe Photoshop TIFF Technical Notes (Deflate).

const TIFF_TAG = {
  width: 0x1_00,
  bits: 0x1_02,
  compression: 0x1_03,
  stripPlaces: 0x1_11,
  samples: 0x1_15,
  stripBytes: 0x1_17,
  plane: 0x1_1c,
  predictor: 0x1_3d,
  tileWidth: 0x1_42,
  tilePlaces: 0x1_44,
  tileBytes: 0x1_45,
  jpegTables: 0x1_5b,
} as const;
/** Predictor: each sample is the difference from the one to its left. Planar configuration: the samples of a pixel stand together. */
const PREDICTOR_HORIZONTAL = 2;
const PLANAR_CHUNKY = 1;
/** Of all strips of a page together. */
const MAX_BYTES = 480 * 1024 * 1024;

/** The two compressions that are Deflate. */
export const deflateCompressions: ReadonlySet<number> = new Set([8, 32_946]);
export const COMPRESSION_JPEG = 7;

type Entries = ReadonlyMap<number, TiffEntry>;

/** Strips of a page, or its tiles, as they are packed. */
function stripsOf(reading: TiffReading, entries: Entries): Buffer[] {
  const tiled = entries.has(TIFF_TAG.tilePlaces);
  const places = valuesOf(reading, entries.get(tiled ? TIFF_TAG.tilePlaces : TIFF_TAG.stripPlaces));
  const bytes = valuesOf(reading, entries.get(tiled ? TIFF_TAG.tileBytes : TIFF_TAG.stripBytes));
  return places.map((place, at) => reading.all.subarray(place, place + (bytes[at] ?? 0)));
}

function undoPredictor(strip: Buffer, row: number, samples: number): void {
  for (let from = 0; from < strip.length; from += row)
    for (let at = from + samples, end = Math.min(from + row, strip.length); at < end; at++)
      strip[at] = strip[at]! + strip[at - samples]!;
}

/**
 * The file with the page at a place unpacked, as its first one; null where it is packed in a way that is not known. Throws
 * RangeError where it is larger than a page may be, errors of zlib where it is damaged.
 */
export function inflatedTiff(bytes: Uint8Array, directory: number): Buffer | null {
  const reading = readingOf(Buffer.from(bytes));
  if (reading === null) return null;
  const entries = entriesAt(reading, directory);
  const one = (tag: number, otherwise: number) => valuesOf(reading, entries.get(tag))[0] ?? otherwise;
  const predictor = one(TIFF_TAG.predictor, 1);
  if (predictor > PREDICTOR_HORIZONTAL || (predictor === PREDICTOR_HORIZONTAL && one(TIFF_TAG.bits, 1) !== 8))
    return null;
  const samples = one(TIFF_TAG.plane, PLANAR_CHUNKY) === PLANAR_CHUNKY ? one(TIFF_TAG.samples, 1) : 1;
  const tiled = entries.has(TIFF_TAG.tilePlaces);
  let left = MAX_BYTES;
  const strips = stripsOf(reading, entries).map((strip) => {
    const open = inflateSync(strip, { maxOutputLength: Math.max(1, left) });
    left -= open.length;
    if (predictor === PREDICTOR_HORIZONTAL)
      undoPredictor(open, one(tiled ? TIFF_TAG.tileWidth : TIFF_TAG.width, 1) * samples, samples);
    return open;
  });
  return rewrittenTiff(reading, entries, { strips, tiled, directory });
}

interface Unpacked {
  readonly strips: readonly Buffer[];
  readonly tiled: boolean;
  readonly directory: number;
}

/** The strips stand behind the file, and its directory tells of them. */
function rewrittenTiff({ all, small }: TiffReading, entries: Entries, { strips, tiled, directory }: Unpacked): Buffer {
  const count = strips.length;
  const tables = Buffer.alloc(count * 8);
  const put = (buffer: Buffer, value: number, at: number) =>
    small ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
  const short = (value: number, at: number) => (small ? all.writeUInt16LE(value, at) : all.writeUInt16BE(value, at));
  const start = all.length + (all.length % 2);
  let place = start + tables.length;
  for (const [at, strip] of strips.entries()) {
    put(tables, place, at * 4);
    put(tables, strip.length, (count + at) * 4);
    place += strip.length;
  }
  const tell = (tag: number, table: number) => {
    const entry = entries.get(tag);
    if (entry === undefined) return;
    short(4, entry.place + 2);
    put(all, count, entry.place + 4);
    if (count === 1) tables.copy(all, entry.place + 8, table, table + 4);
    else put(all, start + table, entry.place + 8);
  };
  tell(tiled ? TIFF_TAG.tilePlaces : TIFF_TAG.stripPlaces, 0);
  tell(tiled ? TIFF_TAG.tileBytes : TIFF_TAG.stripBytes, count * 4);
  for (const tag of [TIFF_TAG.compression, TIFF_TAG.predictor]) {
    const entry = entries.get(tag);
    if (entry !== undefined) short(1, entry.place + 8);
  }
  put(all, directory, 4);
  return Buffer.concat([all, Buffer.alloc(all.length % 2), tables, ...strips]);
}

/** The strips of a page that is packed with JPEG, from the top, each as a file; null where it has tiles. */
export function jpegStrips(bytes: Uint8Array, directory: number): Buffer[] | null {
  const reading = readingOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (reading === null) return null;
  const entries = entriesAt(reading, directory);
  if (entries.has(TIFF_TAG.tilePlaces)) return null;
  const tables = entries.get(TIFF_TAG.jpegTables);
  const at = tables === undefined ? 0 : tables.at;
  // Both begin with a mark of the beginning, and the tables end with one of the end.
  const before = tables === undefined ? null : reading.all.subarray(at, at + tables.count - 2);
  return stripsOf(reading, entries).map((strip) =>
    before === null ? strip : Buffer.concat([before, strip.subarray(2)]),
  );
}
