// Headers of GGUF files, written by hand: for tests of what reads them, good ones and bad ones.

export const u32 = (n: number) => Buffer.from(Uint32Array.of(n).buffer);
export const u64 = (n: number) => Buffer.from(BigUint64Array.of(BigInt(n)).buffer);
export const f32 = (n: number) => Buffer.from(Float32Array.of(n).buffer);
export const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
export const array = (type: number, items: readonly Buffer[]) =>
  Buffer.concat([u32(type), u64(items.length), ...items]);
export const pair = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value]);

/** A file without tensors. */
export function headerOf(
  pairs: readonly Buffer[],
  head: Buffer = Buffer.concat([Buffer.from('GGUF'), u32(3)]),
): Buffer {
  return Buffer.concat([head, u64(0), u64(pairs.length), ...pairs]);
}

/** A header of plain values: texts, whole numbers and truth values. */
export const simpleHeader = (values: Readonly<Record<string, string | number | boolean>>): Buffer =>
  headerOf(
    Object.entries(values).map(([key, value]) => {
      if (typeof value === 'string') return pair(key, 8, text(value));
      return typeof value === 'number' ? pair(key, 4, u32(value)) : pair(key, 7, Buffer.of(value ? 1 : 0));
    }),
  );
