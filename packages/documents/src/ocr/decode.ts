import type { Core } from './core.ts';
import { type GreyImage, greyOf } from './grey.ts';

// Pictures are decoded by the library that the recogniser has for it (Leptonica), and made grey here.

/** Fields of a decoded picture in the library's memory, as offsets in 32-bit words. Source: Leptonica, struct Pix. */
const PIX_FIELD = { width: 0, height: 1, depth: 2, samples: 3, words: 4, palette: 11, data: 12, length: 13 } as const;
/** Source: Leptonica, struct PixColormap and RGBA_QUAD (blue, green, red, alpha). */
const PALETTE_FIELD = { array: 0, count: 2, length: 4 } as const;

interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly samples: number;
  /** Of one row. */
  readonly words: number;
  readonly data: Uint32Array;
  /** Grey of each colour of the palette. */
  readonly palette: Uint8Array | null;
}

function paletteAt(buffer: ArrayBuffer, address: number): Uint8Array | null {
  if (address === 0) return null;
  const about = new Uint32Array(buffer, address, PALETTE_FIELD.length);
  const colours = new Uint8Array(buffer, about[PALETTE_FIELD.array], Math.min(256, about[PALETTE_FIELD.count]!) * 4);
  const greys = new Uint8Array(256).fill(255);
  for (let at = 0; at * 4 < colours.length; at++)
    greys[at] = greyOf(colours[at * 4 + 2]!, colours[at * 4 + 1]!, colours[at * 4]!);
  return greys;
}

function decodedAt(buffer: ArrayBuffer, address: number): Decoded {
  const about = new Uint32Array(buffer, address, PIX_FIELD.length);
  const [width = 0, height = 0, depth = 0, samples = 0, words = 0] = about;
  return {
    width,
    height,
    depth,
    samples,
    words,
    data: new Uint32Array(buffer, about[PIX_FIELD.data], words * height),
    palette: paletteAt(buffer, about[PIX_FIELD.palette]!),
  };
}

/** Grey of the pixel at a place of a row, which is so many words from the beginning. */
function pixelReader({ depth, samples, data, palette }: Decoded): (row: number, x: number) => number {
  if (depth === 32)
    return (row, x) => {
      const word = data[row + x]!;
      const grey = greyOf(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255);
      if (samples !== 4) return grey;
      // Transparent pixels show white paper.
      const alpha = word & 255;
      return ((grey * alpha + 255 * (255 - alpha)) / 255) | 0;
    };
  const mask = 2 ** Math.min(depth, 16) - 1;
  const each = 32 / depth;
  const value = (row: number, x: number) =>
    (data[row + Math.floor(x / each)]! >>> (32 - depth - (x % each) * depth)) & mask;
  if (palette !== null) return (row, x) => palette[value(row, x)]!;
  // Of one bit, 1 is black.
  if (depth === 1) return (row, x) => (value(row, x) === 1 ? 0 : 255);
  if (depth === 8) return value;
  return (row, x) => ((value(row, x) * 255) / mask) | 0;
}

/** Grey, smaller by a whole number of times: each pixel is the mean of a square. */
function greyImageOf(decoded: Decoded, smaller: number): GreyImage {
  const [width, height] = [Math.floor(decoded.width / smaller), Math.floor(decoded.height / smaller)];
  const data = new Uint8Array(width * height);
  const at = pixelReader(decoded);
  if (smaller === 1) {
    for (let y = 0, to = 0; y < height; y++)
      for (let x = 0, row = y * decoded.words; x < width; x++, to++) data[to] = at(row, x);
    return { width, height, data };
  }
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to++) {
      let sum = 0;
      for (let dy = 0; dy < smaller; dy++)
        for (let dx = 0, row = (y * smaller + dy) * decoded.words; dx < smaller; dx++) sum += at(row, x * smaller + dx);
      data[to] = sum / (smaller * smaller);
    }
  return { width, height, data };
}

/**
 * Decodes a picture (PNG, JPEG, TIFF, BMP, GIF, WebP; of several pages the first), made smaller `smaller` times. Null where it cannot
 * be decoded. The bytes are copied into the library.
 */
export function decode({ module, memory }: Core, bytes: Uint8Array, smaller: number): GreyImage | null {
  const file = module._malloc(bytes.length);
  const handle = module._malloc(4);
  if (file === 0 || handle === 0) throw new RangeError('no memory left');
  new Uint8Array(memory.buffer).set(bytes, file);
  try {
    const pix = module._pixReadMem(file, bytes.length);
    if (pix === 0) return null;
    const image = greyImageOf(decodedAt(memory.buffer, pix), smaller);
    new Uint32Array(memory.buffer, handle, 1)[0] = pix;
    module._pixDestroy(handle);
    return image;
  } finally {
    module._free(handle);
    module._free(file);
  }
}
