import zlib from 'node:zlib';
import { Inflate } from 'fflate';
import type { InflatePart } from './inflate.ts';

/** Bytes that are given at a time: some thousand times as many may come out of them at once. */
const PIECE_BYTES = 16 * 1024;

class TooMany extends Error {}

/**
 * The same as `inflate` without streams of zlib, a few times slower: a thread that is ended while it opens one takes the whole process with
 * it.
 */
export const inflateInScript: InflatePart = (packed, limit, _size, crc) => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate((chunk) => {
    length += chunk.length;
    if (length > limit) throw new TooMany();
    chunks.push(chunk);
  });
  let damaged = false;
  try {
    for (let at = 0; at === 0 || at < packed.length; at += PIECE_BYTES)
      stream.push(packed.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.length);
  } catch (error) {
    if (error instanceof TooMany) return Promise.resolve(null);
    damaged = true;
  }
  const bytes = Buffer.concat(chunks, length);
  return Promise.resolve({ bytes, damaged: damaged || (crc !== 0 && zlib.crc32(bytes) !== crc) });
};
