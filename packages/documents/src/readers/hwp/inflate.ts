import { constants, inflateRawSync } from 'node:zlib';

import { ParseError } from '../../parse-error.ts';
import { createCounter, type ParseLimits } from '../../reader.ts';

/** Inflates the streams of one document; all of them together stay within the limits. */
export interface Inflater {
  /** `whole` is false where the packed bytes end early or are damaged: what was good is given. */
  readonly inflate: (packed: Uint8Array) => { readonly bytes: Uint8Array; readonly whole: boolean };
  /** Counts bytes that were not packed. */
  readonly count: (bytes: number) => void;
}

const SMALL_STREAM_BYTES = 1024 * 1024;

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

export const createInflater = (limits: Pick<ParseLimits, 'inflatedBytes' | 'ratio' | 'shared'>): Inflater => {
  const inflated = createCounter(limits, 'inflatedBytes');
  const leftAfter = (bytes: number): number => limits.inflatedBytes - inflated(bytes);
  const count = (bytes: number): void => {
    if (leftAfter(bytes) < 0)
      throw new ParseError('TOO_LARGE', 'The document is larger than may be read once unpacked.');
  };

  /** Null where the bytes are damaged. A stream that only ends early gives what it holds. */
  const attempt = (packed: Uint8Array, most: number): Uint8Array | null => {
    try {
      return inflateRawSync(packed, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
    } catch (error) {
      if (isTooLarge(error))
        throw new ParseError('TOO_LARGE', 'A part of the document is far larger unpacked than packed.');
      return null;
    }
  };

  /** The longest beginning that is undamaged, found by halving: Node's own inflater gives nothing at all of a damaged stream. */
  const salvage = (packed: Uint8Array, most: number): Uint8Array => {
    let best: Uint8Array = new Uint8Array();
    let good = 0;
    let bad = packed.length;
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      const bytes = attempt(packed.subarray(0, middle), most);
      if (bytes === null) bad = middle;
      else {
        good = middle;
        best = bytes;
      }
    }
    return best;
  };

  const inflate = (packed: Uint8Array): { bytes: Uint8Array; whole: boolean } => {
    if (packed.length === 0) return { bytes: new Uint8Array(), whole: false };
    const most = Math.max(1, Math.min(leftAfter(0), Math.max(SMALL_STREAM_BYTES, packed.length * limits.ratio)));
    const bytes = attempt(packed, most);
    const given = bytes ?? salvage(packed, most);
    count(given.length);
    return { bytes: given, whole: bytes !== null };
  };
  return { inflate, count };
};
