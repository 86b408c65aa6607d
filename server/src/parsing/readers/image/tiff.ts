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

const TAG = {
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
const SHORT = 3;
const LONG = 4;
const CENTIMETRES = 3;
/** A small copy of another page. */
const REDUCED = 1;
/** More pages than any limit lets through. */
const MOST_PAGES = 20_000;

interface Reading {
  readonly all: Buffer;
  readonly small: boolean;
}

const short = ({ all, small }: Reading, at: number) => (small ? all.readUInt16LE(at) : all.readUInt16BE(at));
const long = ({ all, small }: Reading, at: number) => (small ? all.readUInt32LE(at) : all.readUInt32BE(at));

function readingOf(all: Buffer): Reading | null {
  const order = all.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return null;
  return { all, small: order === 'II*\0' };
}

interface Directory {
  readonly page: TiffPage;
  readonly reduced: boolean;
  readonly next: number;
}

function directoryAt(reading: Reading, at: number): Directory {
  const values = new Map<number, number>();
  const count = short(reading, at);
  for (let entry = 0; entry < count; entry++) {
    const place = at + 2 + entry * 12;
    const [tag, type, length] = [short(reading, place), short(reading, place + 2), long(reading, place + 4)];
    if (type === SHORT) {
      // The bits of all parts of a pixel stand elsewhere; the first is like the others.
      const value = length > 2 ? long(reading, place + 8) : place + 8;
      values.set(tag, short(reading, value));
    } else if (type === LONG) values.set(tag, long(reading, place + 8));
    else if (tag === TAG.resolution) {
      const value = long(reading, place + 8);
      const below = long(reading, value + 4);
      values.set(tag, below === 0 ? 0 : long(reading, value) / below);
    }
  }
  const get = (tag: number, otherwise: number) => values.get(tag) ?? otherwise;
  const density = get(TAG.resolution, 0) * (get(TAG.unit, 2) === CENTIMETRES ? 2.54 : 1);
  const orientation = get(TAG.orientation, 1);
  const end = at + 2 + count * 12;
  return {
    page: {
      width: get(TAG.width, 0),
      height: get(TAG.height, 0),
      dotsPerInch: density > 1 && get(TAG.unit, 2) !== 1 ? Math.round(density) : null,
      orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
      bits: get(TAG.bits, 1) * get(TAG.samples, 1),
      compression: get(TAG.compression, 1),
      directory: at,
    },
    reduced: (get(TAG.kind, 0) & REDUCED) !== 0,
    next: end + 4 <= reading.all.length ? long(reading, end) : 0,
  };
}

/** Pages of a TIFF file in their order, small copies left out. Throws RangeError where the file ends within its first directory. */
export function tiffPages(all: Buffer): TiffPage[] {
  const reading = readingOf(all);
  if (reading === null) return [];
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  for (let at = long(reading, 4); at !== 0 && !seen.has(at) && pages.length < MOST_PAGES;) {
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
    if (reading !== null) return directoryAt(reading, long(reading, 4)).page;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { orientation: 1, dotsPerInch: null };
}
