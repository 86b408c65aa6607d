import { crc32, deflateSync } from 'node:zlib';

// Source: Portable Network Graphics specification, third edition (W3C).

/** Pixels from the upper left corner, four bytes each: blue, green, red, and one that says nothing. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Bytes of a row. */
  readonly stride: number;
  readonly data: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOUR_TYPE_GREY = 0;
const COLOUR_TYPE_RGB = 2;
/** Filter type Up: each byte is the difference from the one above. Source: PNG (ISO/IEC 15948) 9.2. */
const FILTER_UP = 2;

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}

function isGrey({ width, height, stride, data }: Pixels): boolean {
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * stride; x < width; x++, at += 4)
      if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  return true;
}

/** Rows with their filters, of one byte a pixel (grey) or three. */
function rowsOf({ width, height, stride, data }: Pixels, channels: 1 | 3): Uint8Array {
  const line = width * channels + 1;
  const rows = new Uint8Array(line * height);
  for (let y = 0; y < height; y++) {
    let to = y * line;
    rows[to++] = FILTER_UP;
    for (let x = 0, at = y * stride; x < width; x++, at += 4) {
      for (let channel = 0; channel < channels; channel++) {
        const from = at + 2 - channel;
        rows[to++] = (data[from] ?? 0) - (y === 0 ? 0 : (data[from - stride] ?? 0));
      }
    }
  }
  return rows;
}

/** A PNG file of pixels; without colours where they have none. */
export function encodePng(pixels: Pixels): Buffer {
  const channels = isGrey(pixels) ? 1 : 3;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels.width, 0);
  header.writeUInt32BE(pixels.height, 4);
  header[8] = 8;
  header[9] = channels === 1 ? COLOUR_TYPE_GREY : COLOUR_TYPE_RGB;
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rowsOf(pixels, channels), { level: 3 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
