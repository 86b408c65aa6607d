/** The beginning of a body, and whether that is all of it. */
export interface ReadBytes {
  readonly bytes: Buffer;
  readonly whole: boolean;
}

/** Reads at most so many bytes. Rejects as the body does. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReadBytes> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    const room = maxBytes - size;
    if (part.length > room) {
      parts.push(part.subarray(0, room));
      return { bytes: Buffer.concat(parts), whole: false };
    }
    parts.push(part);
    size += part.length;
  }
  return { bytes: Buffer.concat(parts), whole: true };
}

/** Text of bytes that may end within a character. */
export function textOf({ bytes, whole }: ReadBytes): string {
  const text = bytes.toString('utf8');
  if (whole) return text;
  let { length } = text;
  while (text[length - 1] === '\uFFFD') length--;
  return text.slice(0, length);
}
