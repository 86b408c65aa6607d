/**
 * Just enough HTTP/1.1 to find where messages begin and end on a keep-alive connection, for programs of the
 * benchmark that must cost less than what they measure. Not a parser for the open internet.
 */

/** Told of the parts of each message, in order. */
export interface FramingEvents {
  /** Start line and headers, without the empty line. */
  onHead(head: string): void;
  /** A piece of the body: `bytes[start, end)`. The buffer must not be kept. */
  onBody?: ((bytes: Buffer, start: number, end: number) => void) | undefined;
  onEnd(): void;
}

const EMPTY = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');
const LF = 10;

/** Returns a function that takes what a socket delivers. Throws on a chunk size that is none. */
export function createFraming(events: FramingEvents): (bytes: Buffer) => void {
  let kept: Buffer = EMPTY;
  let phase: 'head' | 'length' | 'size' | 'chunk' | 'trailer' = 'head';
  let remaining = 0;

  const end = () => {
    phase = 'head';
    events.onEnd();
  };

  const readHead = (bytes: Buffer, at: number): number => {
    const stop = bytes.indexOf(HEAD_END, at);
    if (stop < 0) return -1;
    const head = bytes.toString('latin1', at, stop);
    const chunked = /\ntransfer-encoding: *chunked/i.test(head);
    remaining = chunked ? 0 : Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    phase = chunked ? 'size' : 'length';
    events.onHead(head);
    if (!chunked && remaining === 0) end();
    return stop + 4;
  };

  /** A line of the chunked coding: the size of a chunk, or the empty line after the last one. */
  const readLine = (bytes: Buffer, at: number): number => {
    const stop = bytes.indexOf(LF, at);
    if (stop < 0) return -1;
    if (phase === 'trailer') {
      if (stop - at <= 1) end();
      return stop + 1;
    }
    remaining = Number.parseInt(bytes.toString('latin1', at, stop), 16);
    if (Number.isNaN(remaining)) throw new Error('not a chunk size');
    phase = remaining === 0 ? 'trailer' : 'chunk';
    // The line end that closes the chunk is counted with it.
    if (phase === 'chunk') remaining += 2;
    return stop + 1;
  };

  const readBody = (bytes: Buffer, at: number): number => {
    const taken = Math.min(remaining, bytes.length - at);
    const closing = phase === 'chunk' ? 2 : 0;
    const text = Math.min(taken, Math.max(0, remaining - closing));
    if (text > 0) events.onBody?.(bytes, at, at + text);
    remaining -= taken;
    if (remaining === 0) {
      if (phase === 'chunk') phase = 'size';
      else end();
    }
    return at + taken;
  };

  return (incoming) => {
    const bytes = kept.length === 0 ? incoming : Buffer.concat([kept, incoming]);
    kept = EMPTY;
    let at = 0;
    while (at < bytes.length) {
      const body = phase === 'length' || phase === 'chunk';
      const next = body ? readBody(bytes, at) : phase === 'head' ? readHead(bytes, at) : readLine(bytes, at);
      if (next < 0) {
        kept = bytes.subarray(at);
        return;
      }
      at = next;
    }
  };
}
