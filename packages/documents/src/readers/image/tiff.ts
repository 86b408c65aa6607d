// Directories of TIFF files, which EXIF data of other pictures are too. Source: TIFF 6.0, section 2.

/** A page of a TIFF file, by its directory. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly dotsPerInch: number | null;
  readonly orientation: number;
  readonly bits: number;
  /** How its pixels are packed. */
  readonly compression: number;
  /** Where its directory stands. */
  readonly directory: number;
}

const TIFF_TAG = {
  kind: 0xfe,
  width: 0x1_00,
  height: 0x1_01,
  bits: 0x1_02,
  compression: 0x1_03,
  orientation: 0x1_12,
  samples: 0x1_15,
  resolution: 0x1_1a,
  unit: 0x1_28,
} as const;
const TYPE_SHORT = 3;
const TYPE_LONG = 4;
const RESOLUTION_UNIT_CENTIMETRE = 3;
/** A small copy of another page. */
const REDUCED_IMAGE_FLAG = 1;
/** More pages than any limit lets through. */
const MAX_PAGES = 20_000;

/** A file, and whether the lower byte of its numbers comes first. */
export interface TiffReading {
  readonly all: Buffer;
  readonly small: boolean;
}

const readUint16 = ({ all, small }: TiffReading, at: number) => (small ? all.readUInt16LE(at) : all.readUInt16BE(at));
const readUint32 = ({ all, small }: TiffReading, at: number) => (small ? all.readUInt32LE(at) : all.readUInt32BE(at));

/** How a TIFF file is read; null for what is none. */
export function readingOf(all: Buffer): TiffReading | null {
  const order = all.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return null;
  return { all, small: order === 'II*\0' };
}

interface Directory {
  readonly page: TiffPage;
  readonly reduced: boolean;
  readonly next: number;
}

/** One line of a directory. */
export interface TiffEntry {
  /** Where it stands itself. */
  readonly place: number;
  /** Where its values are. */
  readonly at: number;
  readonly type: number;
  readonly count: number;
}

/** Bytes of a value by its type. */
const valueBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};

/** The entries of a directory by their tag. Throws RangeError where the file ends within it. */
export function entriesAt(reading: TiffReading, directory: number): ReadonlyMap<number, TiffEntry> {
  const entries = new Map<number, TiffEntry>();
  const count = readUint16(reading, directory);
  for (let entry = 0; entry < count; entry++) {
    const place = directory + 2 + entry * 12;
    const [tag, type, values] = [
      readUint16(reading, place),
      readUint16(reading, place + 2),
      readUint32(reading, place + 4),
    ];
    const inside = values * (valueBytes[type] ?? 1) <= 4;
    entries.set(tag, { place, type, count: values, at: inside ? place + 8 : readUint32(reading, place + 8) });
  }
  return entries;
}

/** Numbers of an entry: whole ones, or the first of two that make a fraction. Throws RangeError where the file ends within them. */
export function valuesOf(reading: TiffReading, entry: TiffEntry | undefined): number[] {
  if (entry === undefined) return [];
  const { at, type, count } = entry;
  const size = type === TYPE_SHORT ? 2 : 4;
  if ((type !== TYPE_SHORT && type !== TYPE_LONG) || at + count * size > reading.all.length) return [];
  return Array.from({ length: count }, (_, index) =>
    (type === TYPE_SHORT ? readUint16 : readUint32)(reading, at + index * size),
  );
}

function directoryAt(reading: TiffReading, at: number): Directory {
  const entries = entriesAt(reading, at);
  const get = (tag: number, otherwise: number) => valuesOf(reading, entries.get(tag))[0] ?? otherwise;
  const fraction = entries.get(TIFF_TAG.resolution)?.at;
  const below = fraction === undefined ? 0 : readUint32(reading, fraction + 4);
  const perUnit = fraction === undefined || below === 0 ? 0 : readUint32(reading, fraction) / below;
  const density = perUnit * (get(TIFF_TAG.unit, 2) === RESOLUTION_UNIT_CENTIMETRE ? 2.54 : 1);
  const orientation = get(TIFF_TAG.orientation, 1);
  const end = at + 2 + readUint16(reading, at) * 12;
  return {
    page: {
      width: get(TIFF_TAG.width, 0),
      height: get(TIFF_TAG.height, 0),
      dotsPerInch: density > 1 && get(TIFF_TAG.unit, 2) !== 1 ? Math.round(density) : null,
      orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
      bits: get(TIFF_TAG.bits, 1) * get(TIFF_TAG.samples, 1),
      compression: get(TIFF_TAG.compression, 1),
      directory: at,
    },
    reduced: (get(TIFF_TAG.kind, 0) & REDUCED_IMAGE_FLAG) !== 0,
    next: end + 4 <= reading.all.length ? readUint32(reading, end) : 0,
  };
}

/** Pages of a TIFF file in their order, small copies left out. Throws RangeError where the file ends within its first directory. */
export function tiffPages(all: Buffer): TiffPage[] {
  const reading = readingOf(all);
  if (reading === null) return [];
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  for (let at = readUint32(reading, 4); at !== 0 && !seen.has(at) && pages.length < MAX_PAGES;) {
    seen.add(at);
    try {
      const { page, reduced, next } = directoryAt(reading, at);
      if (!reduced || pages.length === 0) pages.push(page);
      at = next;
    } catch (error) {
      // The rest of the file is missing.
      if (!(error instanceof RangeError) || pages.length === 0) throw error;
      break;
    }
  }
  return pages;
}

/** The file with another of its pages as the first one. */
export function startingAt(bytes: Uint8Array, directory: number): Uint8Array {
  const copy = Buffer.from(bytes);
  if (readingOf(copy)?.small === true) copy.writeUInt32LE(directory, 4);
  else copy.writeUInt32BE(directory, 4);
  return copy;
}

/** How a photograph is to be turned, and its resolution, by its EXIF data. */
export function exifOf(all: Buffer): Pick<TiffPage, 'orientation' | 'dotsPerInch'> {
  try {
    const reading = readingOf(all);
    if (reading !== null) return directoryAt(reading, readUint32(reading, 4)).page;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { orientation: 1, dotsPerInch: null };
}
