/** A record of HWP 5 with the records that belong to it. */
export interface RecordNode {
  readonly tag: number;
  readonly data: Buffer;
  readonly children: readonly RecordNode[];
}

export const node = (tag: number, data: Buffer, children: readonly RecordNode[] = []): RecordNode => ({
  tag,
  data,
  children,
});

/** Bytes of little-endian numbers: `[4, value]` is a number of four bytes. */
export const numbers = (...values: readonly (readonly [size: 1 | 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(value | 0);
      return bytes.subarray(0, size);
    }),
  );

/** A text after the count of its units. */
export const counted = (text: string): Buffer =>
  Buffer.concat([numbers([2, text.length]), Buffer.from(text, 'utf16le')]);

/** A name of four letters as the format writes it. */
export const letters = (id: string): Buffer => Buffer.from(Buffer.from(id, 'latin1').toReversed());

const head = ({ tag, data }: RecordNode, level: number): Buffer =>
  data.length < 0xfff
    ? numbers([4, tag | (level << 10) | (data.length << 20)])
    : numbers([4, tag | (level << 10) | (0xfff << 20)], [4, data.length]);

export const writeRecords = (nodes: readonly RecordNode[], level = 0): Buffer =>
  Buffer.concat(nodes.flatMap((one) => [head(one, level), one.data, writeRecords(one.children, level + 1)]));
