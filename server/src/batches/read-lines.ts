import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

/** A line of a file. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Without its end; null where it is longer than it may be, or no UTF-8. */
  readonly text: string | null;
}

const NEWLINE = 0x0a;

/** Trimming takes a byte order mark away, too. */
const toText = (bytes: Buffer): string | null => (isUtf8(bytes) ? bytes.toString('utf8').trim() : null);

/**
 * The lines of a file that are not blank, one after the other: no more of it is in memory than a line and the piece that is read. A byte
 * order mark before the first is read over.
 */
export async function* readLines(path: string, maxBytes: number, signal?: AbortSignal): AsyncGenerator<FileLine> {
  let number = 0;
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (last: Buffer): FileLine | null => {
    number++;
    const isTooLong = bytes + last.length > maxBytes;
    const whole = isTooLong ? null : pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    bytes = 0;
    const text = whole && toText(whole);
    return text === '' ? null : { number, text };
  };
  for await (const chunk of createReadStream(path, signal ? { signal } : {})) {
    const piece = chunk as Buffer;
    let start = 0;
    for (let end; (end = piece.indexOf(NEWLINE, start)) >= 0; start = end + 1) {
      const line = take(piece.subarray(start, end));
      if (line) yield line;
    }
    const rest = piece.subarray(start);
    bytes += rest.length;
    // What is too long is refused, and need not be kept.
    if (rest.length > 0 && bytes <= maxBytes) pieces.push(rest);
  }
  const last = bytes > 0 ? take(Buffer.alloc(0)) : null;
  if (last) yield last;
}
