import { type TiffPage, exifOf, tiffPages } from './tiff.ts';

/** Kinds of pictures that are recognised. */
export const imageKinds = ['png', 'jpeg', 'tiff', 'bmp', 'gif', 'webp'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The properties of a picture in its header. */
export interface ImageHeader {
  readonly kind: ImageKind;
  /** One picture, or each page of a TIFF file. */
  readonly pages: readonly ImagePage[];
}

export interface ImagePage {
  readonly width: number;
  readonly height: number;
  /** Null where the file does not state it. */
  readonly dotsPerInch: number | null;
  /** How it is to be turned and mirrored, 1 to 8; 1 is as it is. Source: EXIF 2.3, tag Orientation. */
  readonly orientation: number;
  /** Bits of one pixel, all its parts together. */
  readonly bits: number;
  /** Compression of a TIFF page. Source: TIFF 6.0, Compression. */
  readonly compression?: number;
  /** Offset of its directory in a TIFF file. */
  readonly directory?: number;
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The kind of a picture by its first bytes; null for what is none. */
export function imageKind(bytes: Uint8Array): ImageKind | null {
  const head = asBuffer(bytes).toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff';
  if (head.startsWith('BM')) return 'bmp';
  if (head.startsWith('GIF8')) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}

const METRES_PER_INCH = 0.0254;
const perInch = (perMetre: number) => (perMetre > 0 ? Math.round(perMetre * METRES_PER_INCH) : null);

const page = (width: number, height: number, rest: Partial<ImagePage> = {}): ImagePage => ({
  width,
  height,
  dotsPerInch: null,
  orientation: 1,
  bits: 32,
  ...rest,
});

/** Parts of a pixel by the kind of colour. Source: PNG specification, table 11.1. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Source: PNG specification, chunks IHDR and pHYs. */
function png(all: Buffer): ImagePage {
  const bits = all.readUInt8(24) * (channels[all.readUInt8(25)] ?? 4);
  const [width, height] = [all.readUInt32BE(16), all.readUInt32BE(20)];
  let dotsPerInch: number | null = null;
  for (let at = 8, chunks = 0; at + 12 <= all.length && chunks < 200; chunks++) {
    const [length, name] = [all.readUInt32BE(at), all.toString('latin1', at + 4, at + 8)];
    if (name === 'IDAT') break;
    if (name === 'pHYs' && length === 9 && at + 17 <= all.length && all[at + 16] === 1)
      dotsPerInch = perInch(all.readUInt32BE(at + 8));
    at += 12 + length;
  }
  return page(width, height, { dotsPerInch, bits });
}

/** Source: JPEG (ITU-T T.81) B.2.2, JFIF 1.02, EXIF 2.3. */
function jpeg(all: Buffer): ImagePage {
  let [dotsPerInch, orientation]: [number | null, number] = [null, 1];
  for (let at = 2, segments = 0; at + 9 <= all.length && segments < 2_000; segments++) {
    if (all[at] !== 0xff) {
      at++;
      continue;
    }
    const marker = all[at + 1]!;
    if (marker === 0xff || marker === 0 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = all.readUInt16BE(at + 2);
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return page(all.readUInt16BE(at + 7), all.readUInt16BE(at + 5), { dotsPerInch, orientation });
    const name = all.toString('latin1', at + 4, at + 10);
    if (name.startsWith('JFIF\0') && at + 18 <= all.length) {
      const [unit, density] = [all[at + 11], all.readUInt16BE(at + 12)];
      if (density > 0 && unit !== 0) dotsPerInch = unit === 2 ? Math.round(density * 2.54) : density;
    } else if (name === 'Exif\0\0') {
      const found = exifOf(all.subarray(at + 10, at + 2 + length));
      orientation = found.orientation;
      dotsPerInch ??= found.dotsPerInch;
    }
    at += 2 + length;
  }
  return page(0, 0);
}

const bmp = (all: Buffer): ImagePage =>
  all.readUInt32LE(14) === 12
    ? page(all.readUInt16LE(18), all.readUInt16LE(20))
    : page(all.readInt32LE(18), Math.abs(all.readInt32LE(22)), { dotsPerInch: perInch(all.readInt32LE(38)) });

/** Source: WebP container specification: VP8, VP8L and VP8X. */
function webp(all: Buffer): ImagePage {
  switch (all.toString('latin1', 12, 16)) {
    case 'VP8X':
      return page(all.readUIntLE(24, 3) + 1, all.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = all.readUInt32LE(21);
      return page((bits & 0x3f_ff) + 1, ((bits >>> 14) & 0x3f_ff) + 1);
    }
    case 'VP8 ':
      return page(all.readUInt16LE(26) & 0x3f_ff, all.readUInt16LE(28) & 0x3f_ff);
    default:
      return page(0, 0);
  }
}

function pagesOf(kind: ImageKind, all: Buffer): readonly ImagePage[] {
  switch (kind) {
    case 'png':
      return [png(all)];
    case 'jpeg':
      return [jpeg(all)];
    case 'bmp':
      return [bmp(all)];
    case 'gif':
      return [page(all.readUInt16LE(6), all.readUInt16LE(8))];
    case 'webp':
      return [webp(all)];
    case 'tiff':
      return tiffPages(all).map(({ width, height, ...rest }: TiffPage) => page(width, height, rest));
  }
}

/** The properties of a picture in its header; null where that is damaged. */
export function headerOf(bytes: Uint8Array): ImageHeader | null {
  const kind = imageKind(bytes);
  if (kind === null) return null;
  try {
    const pages = pagesOf(kind, asBuffer(bytes));
    return pages.length > 0 && pages.every(({ width, height }) => width > 0 && height > 0) ? { kind, pages } : null;
  } catch (error) {
    // It ends within what it should say.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
