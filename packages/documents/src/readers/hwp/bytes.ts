/** Reads little-endian values one after the other; beyond the end it gives zeros and empty texts, never an error. */
export interface Cursor {
  readonly left: number;
  readonly u8: () => number;
  readonly u16: () => number;
  readonly i16: () => number;
  readonly u32: () => number;
  readonly i32: () => number;
  /** UTF-16 text of so many units. */
  readonly units: (count: number) => string;
  /** UTF-16 text after a u16 count of its units. */
  readonly text: () => string;
  readonly skip: (count: number) => void;
}

export const u16At = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

export const u32At = (bytes: Uint8Array, at: number): number => (u16At(bytes, at) | (u16At(bytes, at + 2) << 16)) >>> 0;

export const i32At = (bytes: Uint8Array, at: number): number => u32At(bytes, at) | 0;

/** UTF-16 text between two offsets. */
export const decodeUtf16 = (bytes: Uint8Array, from: number, to: number): string => {
  const end = Math.min(to, bytes.length);
  if (end - from < 2) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, (end - from) & ~1).toString('utf16le');
};

export const createCursor = (bytes: Uint8Array, start = 0): Cursor => {
  let at = start;
  const next = (size: number): number => {
    const from = at;
    at += size;
    return from;
  };
  const units = (count: number): string => {
    const from = next(count * 2);
    return decodeUtf16(bytes, from, from + count * 2);
  };
  return {
    get left() {
      return Math.max(0, bytes.length - at);
    },
    u8: () => bytes[next(1)] ?? 0,
    u16: () => u16At(bytes, next(2)),
    i16: () => (u16At(bytes, next(2)) << 16) >> 16,
    u32: () => u32At(bytes, next(4)),
    i32: () => i32At(bytes, next(4)),
    units,
    text: () => units(u16At(bytes, next(2))),
    skip: (count) => {
      at += count;
    },
  };
};

export const idOf = (data: Uint8Array, at: number): string =>
  String.fromCodePoint(data[at + 3] ?? 0, data[at + 2] ?? 0, data[at + 1] ?? 0, data[at] ?? 0);
