import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tryAll, useAttempts } from './attempt.ts';

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A picture of one bit a dot; `rows` of its rows are there. */
function png(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(Math.ceil(width / 8), 0xff)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A TIFF file of one directory, with what it says of its size. */
function tiff(width: number, height: number, next: number, entries = 2): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 24 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries, 8);
  for (const [at, [tag, value]] of [[0x100, width] as const, [0x101, height] as const].entries()) {
    bytes.writeUInt16LE(tag, 10 + at * 12);
    bytes.writeUInt16LE(4, 12 + at * 12);
    bytes.writeUInt32LE(1, 14 + at * 12);
    bytes.writeUInt32LE(value, 18 + at * 12);
  }
  bytes.writeUInt32LE(next, 34);
  return bytes;
}

const jpeg = (width: number, height: number): Buffer => {
  const bytes = Buffer.from('ffd8ffc0001108000000000301220002110103110100ffda', 'hex');
  bytes.writeUInt16BE(height, 7);
  bytes.writeUInt16BE(width, 9);
  return bytes;
};
const filled = (head: string, byte: number) => Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(500_000, byte)]);

const refused = ['CORRUPTED', 'TOO_LARGE'];
tryAll(
  'picture',
  [
    ['a picture that is declared larger than all memory', () => png(0xffff_ffff, 0xffff_ffff, 1), ['TOO_LARGE']],
    ['a picture that swells', () => png(20_000, 20_000, 2_000), ['TOO_LARGE']],
    ['a picture of a million dots in a line', () => png(1_000_000, 1), ['TOO_LARGE']],
    ['a picture of no size', () => png(0, 0), ['CORRUPTED']],
    ['a picture of fewer rows than it says', () => png(2_000, 2_000, 3), ['read', ...refused]],
    ['a directory that follows itself', () => tiff(10, 10, 8), ['read', ...refused]],
    ['a directory beyond the end', () => tiff(10, 10, 0xffff_fff0), ['read', ...refused]],
    ['a directory of more entries than bytes', () => tiff(10, 10, 0, 0xffff), refused],
    ['a page that is declared huge', () => tiff(0xffff_ffff, 0xffff_ffff, 0), ['TOO_LARGE']],
    ['a photograph that is declared huge', () => jpeg(65_535, 65_535), ['TOO_LARGE']],
    ['a photograph of nothing but marks', () => filled('ffd8ff', 0xff), refused],
    ['a photograph without an end', () => filled('ffd8ffe0', 0), refused],
    ['a bitmap of numbers below zero', () => filled('424d', 0xff), [...refused, 'UNSUPPORTED']],
    ['an animation of noise', () => filled('474946383961', 0x5a), refused],
  ],
  { ocr: true },
);

describe('a picture that is cut anywhere', () => {
  const attempt = useAttempts({ ocr: true });
  test('is read as far as it goes, or refused', async () => {
    const whole = png(64, 64);
    const found = new Set<string>();
    for (let length = 0; length < whole.length; length += 5) found.add(await attempt(whole, 'picture', length));
    for (const one of found) expect(one).toBeOneOf(['read', 'UNSUPPORTED', ...refused]);
  });
});
