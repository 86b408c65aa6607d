const LENGTH_LINE = '\r\ncontent-length';
const SEPARATOR = ': ';
const [CR, ZERO, NINE] = [0x0d, 0x30, 0x39];
const MAX_LENGTH_DIGITS = 15;

const standsAt = (part: Buffer, bytes: Buffer, at: number): boolean =>
  bytes.length >= at + part.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0;

/** A head of HTTP that came before, by which the next one is known: whoever writes them writes the same again, but for the length of the body. */
export class KnownHead {
  /** What stands before the length, and what behind it. */
  readonly #before: Buffer;
  readonly #behind: Buffer;
  /** Of the head that was found last. */
  length = 0;
  contentLength = 0;

  private constructor(before: Buffer, behind: Buffer) {
    this.#before = before;
    this.#behind = behind;
  }

  /** Remembers a head, with its empty line; null for one that does not name the length of its body once. */
  static of(bytes: Buffer, start: number, end: number): KnownHead | null {
    // In memory of its own: what a read has brought is freed, and memory that is shared would be kept whole.
    const head = Buffer.allocUnsafeSlow(end - start);
    bytes.copy(head, 0, start, end);
    const lines = head.toString('latin1').toLowerCase();
    const line = lines.indexOf(LENGTH_LINE);
    const digits = line + LENGTH_LINE.length + SEPARATOR.length;
    if (line < 0 || line !== lines.lastIndexOf(LENGTH_LINE) || !lines.startsWith(SEPARATOR, digits - SEPARATOR.length))
      return null;
    return new KnownHead(head.subarray(0, digits), head.subarray(head.indexOf(CR, digits)));
  }

  /** Whether the bytes from `from` on begin with this head, but for the length of the body: a number without a zero before it, nor zero. */
  find(bytes: Buffer, from: number): boolean {
    if (!standsAt(this.#before, bytes, from)) return false;
    const start = from + this.#before.length;
    let at = start;
    let contentLength = 0;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[++at] ?? 0) {
      // It begins with another digit than zero, and a number holds it exactly.
      if ((byte === ZERO && contentLength === 0) || at - start === MAX_LENGTH_DIGITS) return false;
      contentLength = contentLength * 10 + byte - ZERO;
    }
    if (contentLength === 0 || !standsAt(this.#behind, bytes, at)) return false;
    this.contentLength = contentLength;
    this.length = at + this.#behind.length - from;
    return true;
  }
}
