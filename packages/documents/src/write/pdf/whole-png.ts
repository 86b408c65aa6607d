import { inflateSync } from 'node:zlib';

const HEADER_LENGTH = 8;
/** Samples of a pixel, by the type of colours. Source: PNG, 11.2.1 (IHDR). */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE_TYPE = 3;

/**
 * Whether a PNG file has all its pixels, and not one more. The library unpacks those of some files later on, where what is wrong with them ends
 * the thread. Interlaced files are none that it puts in as they are.
 */
export function isWholePng(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Buffer[] = [];
  let about: { readonly width: number; readonly height: number; readonly bits: number; readonly type: number } | null =
    null;
  let colours = 0;
  for (let at = HEADER_LENGTH; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (content.length < length) return false;
    if (name === 'IHDR') {
      if (length < 13 || content[12] !== 0) return false;
      const [bits = 0, type = 0] = content.subarray(8, 10);
      about = { width: content.readUInt32BE(0), height: content.readUInt32BE(4), bits, type };
    } else if (name === 'PLTE') colours = length / 3;
    else if (name === 'IDAT') data.push(content);
    else if (name === 'IEND') break;
    at += 12 + length;
  }
  const count = about === null ? undefined : samples[about.type];
  if (about === null || count === undefined || ![1, 2, 4, 8, 16].includes(about.bits)) return false;
  if (about.type === PALETTE_TYPE && (colours < 1 || !Number.isInteger(colours))) return false;
  const expected = (Math.ceil((about.width * about.bits * count) / 8) + 1) * about.height;
  try {
    return inflateSync(Buffer.concat(data), { maxOutputLength: expected + 1 }).length === expected;
  } catch {
    return false;
  }
}
