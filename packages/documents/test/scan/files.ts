import { deflateSync } from 'node:zlib';
import type { GreyImage } from '../../src/ocr/grey.ts';
import { encodePng } from '../../src/picture/png.ts';

/** A PNG file. */
export function pngOf({ width, height, data }: GreyImage): Buffer {
  const pixels = new Uint8Array(width * height * 4);
  for (const [at, grey] of data.entries()) pixels.fill(grey, at * 4, at * 4 + 3);
  return encodePng({ width, height, stride: width * 4, data: pixels });
}

/** The beginning of a PNG file that says that it is so large. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.from(pngOf({ width: 1, height: 1, data: Uint8Array.of(255) }));
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

/** A page of a TIFF file, of one bit a pixel where it is to be. */
function stripOf({ width, height, data }: GreyImage, bits: 1 | 8): Buffer {
  if (bits === 8) return Buffer.from(data);
  const stride = Math.ceil(width / 8);
  const strip = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (data[y * width + x]! < 128) strip[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return strip;
}

/** Differences to the left, as packers like them. */
function differences({ width, height, data }: GreyImage): Buffer {
  const row = Buffer.from(data);
  for (let y = 0; y < height; y++)
    for (let x = width - 1; x > 0; x--) row[y * width + x] = data[y * width + x]! - data[y * width + x - 1]!;
  return row;
}

/** How the pixels of a TIFF file may be packed. */
const packings = {
  not: { tag: 1, predictor: 1, pack: stripOf },
  deflate: { tag: 8, predictor: 2, pack: (page: GreyImage) => deflateSync(differences(page)) },
  jpeg: { tag: 7, predictor: 1, pack: (page: GreyImage) => jpegOf(page) },
} as const;

/** A TIFF file of several pages. Source: TIFF 6.0, section 2. */
export function tiffOf(
  pages: readonly GreyImage[],
  {
    bits = 8,
    dotsPerInch = 300,
    declared,
    packed = 'not',
  }: { bits?: 1 | 8; dotsPerInch?: number; declared?: number; packed?: keyof typeof packings } = {},
): Buffer {
  const pieces: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let [at, link] = [8, 4];
  const links: (readonly [place: number, value: number])[] = [];
  for (const page of pages) {
    const strip = packings[packed].pack(page, bits);
    const side = declared ?? 0;
    const entries: (readonly [tag: number, type: number, value: number])[] = [
      [0x1_00, 4, Math.max(page.width, side)],
      [0x1_01, 4, Math.max(page.height, side)],
      [0x1_02, 3, bits],
      [0x1_03, 3, packings[packed].tag],
      // 0 is white for one bit, black otherwise.
      [0x1_06, 3, bits === 1 ? 0 : 1],
      [0x1_11, 4, at],
      [0x1_15, 3, 1],
      [0x1_16, 4, Math.max(page.height, side)],
      [0x1_17, 4, strip.length],
      [0x1_1a, 5, at + strip.length],
      [0x1_28, 3, 2],
      [0x1_3d, 3, packings[packed].predictor],
    ];
    const resolution = Buffer.alloc(8);
    resolution.writeUInt32LE(dotsPerInch, 0);
    resolution.writeUInt32LE(1, 4);
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, [tag, type, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(type, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    pieces.push(strip, resolution, directory);
    links.push([link, at + strip.length + 8]);
    at += strip.length + 8 + directory.length;
    link = at - 4;
  }
  const file = Buffer.concat(pieces);
  for (const [place, value] of links) file.writeUInt32LE(value, place);
  return file;
}

/** Places of the parts of a block of a JPEG file, from the lowest to the highest frequency. */
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
];
const QUANTISER_STEP = 16;
const cosines = Array.from({ length: 64 }, (_, at) => Math.cos((((at & 7) * 2 + 1) * (at >> 3) * Math.PI) / 16));

function frequencies(block: Float64Array): Int32Array {
  const half = new Float64Array(64);
  for (let y = 0; y < 8; y++)
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += block[y * 8 + x]! * cosines[u * 8 + x]!;
      half[y * 8 + u] = sum;
    }
  const result = new Int32Array(64);
  for (let u = 0; u < 8; u++)
    for (let v = 0; v < 8; v++) {
      let sum = 0;
      for (let y = 0; y < 8; y++) sum += half[y * 8 + u]! * cosines[v * 8 + y]!;
      result[v * 8 + u] = Math.round(
        (sum * (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)) / 4 / QUANTISER_STEP,
      );
    }
  return result;
}

class Bits {
  readonly bytes: number[] = [];
  #held = 0;
  #count = 0;

  push(value: number, length: number): void {
    for (let at = length - 1; at >= 0; at--) {
      this.#held = (this.#held << 1) | ((value >> at) & 1);
      if (++this.#count === 8) {
        this.bytes.push(this.#held);
        if (this.#held === 0xff) this.bytes.push(0);
        this.#held = 0;
        this.#count = 0;
      }
    }
  }
  end(): void {
    while (this.#count > 0) this.push(1, 1);
  }
}

/** The signs of the parts that follow a number of zeros: all of one length, so that no table is needed. */
const signs = Array.from({ length: 16 }, (_, zeros) =>
  Array.from({ length: 10 }, (_ten, size) => (zeros << 4) | (size + 1)),
)
  .flat()
  .concat(0, 0xf0);
const lengthOf = (value: number) => (value === 0 ? 0 : 32 - Math.clz32(Math.abs(value)));
const bitsOf = (value: number, length: number) => (value < 0 ? value + 2 ** length - 1 : value);

const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);

function exif(orientation: number): Buffer {
  const body = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  body[24] = orientation;
  return segment(0xe1, body);
}

/** A grey JPEG file, with the orientation of a photograph. Source: ITU-T T.81, baseline. */
export function jpegOf({ width, height, data }: GreyImage, orientation = 1): Buffer {
  const bits = new Bits();
  let last = 0;
  const block = new Float64Array(64);
  for (let top = 0; top < height; top += 8)
    for (let left = 0; left < width; left += 8) {
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++)
          block[y * 8 + x] = data[Math.min(height - 1, top + y) * width + Math.min(width - 1, left + x)]! - 128;
      const parts = frequencies(block);
      const [difference, size] = [parts[0]! - last, lengthOf(parts[0]! - last)];
      last = parts[0]!;
      bits.push(size, 4);
      bits.push(bitsOf(difference, size), size);
      let zeros = 0;
      for (let at = 1; at < 64; at++) {
        const value = parts[zigzag[at]!]!;
        if (value === 0) {
          zeros++;
          continue;
        }
        for (; zeros > 15; zeros -= 16) bits.push(signs.indexOf(0xf0), 8);
        const length = lengthOf(value);
        bits.push(signs.indexOf((zeros << 4) | length), 8);
        bits.push(bitsOf(value, length), length);
        zeros = 0;
      }
      if (zeros > 0) bits.push(signs.indexOf(0), 8);
    }
  bits.end();
  const lengths = (at: number, count: number) =>
    Buffer.from(Array.from({ length: 16 }, (_, one) => (one === at ? count : 0)));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    exif(orientation),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => QUANTISER_STEP)])),
    segment(0xc0, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])),
    segment(
      0xc4,
      Buffer.concat([Buffer.from([0x00]), lengths(3, 12), Buffer.from(Array.from({ length: 12 }, (_, at) => at))]),
    ),
    segment(0xc4, Buffer.concat([Buffer.from([0x10]), lengths(7, signs.length), Buffer.from(signs)])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from(bits.bytes),
    Buffer.from([0xff, 0xd9]),
  ]);
}
