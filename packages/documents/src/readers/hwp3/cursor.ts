import { u16At, u32At } from '../hwp/bytes.ts';

/** Goes through bytes from the first to the last. Past the end it gives zeros, and `ended` is true from then on. */
export interface Cursor {
  readonly u8: () => number;
  readonly u16: () => number;
  readonly u32: () => number;
  /** The next bytes, fewer where there are fewer. */
  readonly take: (count: number) => Uint8Array;
  readonly ended: () => boolean;
  readonly left: () => number;
  /** Nothing more is read. */
  readonly end: () => void;
}

export function createCursor(bytes: Uint8Array): Cursor {
  let at = 0;
  let ended = false;
  const take = (count: number): Uint8Array => {
    const from = at;
    if (count > bytes.length - from) ended = true;
    at = Math.min(bytes.length, from + count);
    return bytes.subarray(from, at);
  };
  return {
    u8: () => take(1)[0] ?? 0,
    u16: () => u16At(take(2), 0),
    u32: () => u32At(take(4), 0),
    take,
    ended: () => ended,
    left: () => bytes.length - at,
    end: () => {
      at = bytes.length;
      ended = true;
    },
  };
}
