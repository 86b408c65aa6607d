import type { IncomingHttpHeaders } from 'node:http';
import { memoizeNames } from '../../../../kernel/memoize.ts';
import { LastHead, type ResponseHead, staysOpen } from './last-head.ts';

/** What one response brings, in order. */
export interface ResponseListener {
  /** `headers` may be those of earlier responses too, and are without the length of the body. */
  onHeaders(status: number, headers: IncomingHttpHeaders): void;
  /** `bytes` are good during the call only. `last` when the response is known to end with them. */
  onData(bytes: Buffer, last: boolean): void;
  /** `reusable`: the connection may carry another request. */
  onComplete(reusable: boolean): void;
}

/** Bytes that are no response of HTTP/1. */
export class BadResponse extends Error {
  readonly code = 'BAD_HTTP';
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 16 * 1024;
const MAX_SIZE_DIGITS = 12;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;

/** Where in a response the reader is. */
const HEAD = 0;
const LENGTH = 1;
const SIZE = 2;
const EXTENSION = 3;
const SIZE_END = 4;
const CHUNK = 5;
const CHUNK_CR = 6;
const CHUNK_LF = 7;
const TRAILER_START = 8;
const TRAILER = 9;
const TRAILER_END = 10;
const UNTIL_CLOSE = 11;
const DONE = 12;

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const digits = /^\d{1,15}$/;

function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const known = headers[name];
  if (known === undefined) headers[name] = value;
  else headers[name] = `${known}, ${value}`;
}

/** The name of a header in lower case; null where it is none. Each server has a few, which come with all of its responses. */
const nameOf = memoizeNames((written) => {
  const name = written.toLowerCase();
  return token.test(name) ? name : null;
});

/** Reads a status line and header lines, each with its CR LF. */
function readHead(text: string): ResponseHead {
  let end = text.indexOf('\n');
  const status = statusLine.exec(text.slice(0, end - 1));
  if (!status || text.charCodeAt(end - 1) !== CR) throw new BadResponse('No status line of HTTP/1');
  const headers: Record<string, string> = {};
  let contentLength: string | undefined;
  for (let start = end + 1; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    const colon = text.indexOf(':', start);
    if (text.charCodeAt(end - 1) !== CR || colon < 0 || colon > end) throw new BadResponse('A broken header line');
    const name = nameOf(text.slice(start, colon));
    const value = text.slice(colon + 1, end - 1).trim();
    if (name === null || value.includes('\r') || value.includes('\0')) throw new BadResponse('A broken header');
    if (name === 'content-length') {
      if (value !== (contentLength ?? value)) throw new BadResponse('Two different values of Content-Length');
      contentLength = value;
    } else if (name !== '__proto__') addHeader(headers, name, value);
  }
  return { status: Number(status[2]), modern: status[1] === '1', headers, contentLength };
}

/** Whether a line ends without its CR. Source: RFC 9112, section 2.2, which lets it be refused. */
function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1))
    if (at === 0 || bytes[at - 1] !== CR) return true;
  return false;
}

function hexDigit(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Reads the responses of one connection, cut anywhere, one after the other; {@link next} begins each. Throws
 * {@link BadResponse}. Source: RFC 9112; where it leaves a choice, what cannot be mistaken for something else is taken.
 */
export class ResponseReader {
  readonly #listener: ResponseListener;
  readonly #last: LastHead;
  #state = DONE;
  /** Bytes of a head without its end. */
  #head: Buffer | null = null;
  /** Bytes left of the body or the chunk; while a size is read, the size. */
  #left = 0;
  /** Characters of the line that is read. */
  #line = 0;
  #persistent = false;

  constructor(listener: ResponseListener, last = new LastHead()) {
    this.#listener = listener;
    this.#last = last;
  }

  /** Whether no response is expected or under way. */
  get idle(): boolean {
    return this.#state === DONE;
  }

  /** A request was sent: its response comes next. */
  next(): void {
    this.#state = HEAD;
    this.#head = null;
    this.#persistent = false;
  }

  /** Stops reading; further bytes are ignored. */
  stop(): void {
    this.#state = DONE;
    this.#head = null;
  }

  /** The server has ended the connection. Returns whether that was the end of a response. */
  end(): boolean {
    if (this.#state !== UNTIL_CLOSE) return false;
    this.#state = DONE;
    this.#listener.onComplete(false);
    return true;
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#state !== DONE) at = this.#step(bytes, at);
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case HEAD:
        return this.#readHead(bytes, at);
      case LENGTH:
      case CHUNK:
        return this.#readBody(bytes, at);
      case UNTIL_CLOSE:
        this.#listener.onData(at === 0 ? bytes : bytes.subarray(at), false);
        return bytes.length;
      default:
        this.#readLine(bytes[at] ?? 0, at + 1 === bytes.length);
        return at + 1;
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const earlier = this.#head;
    const known = earlier ? null : this.#last.find(bytes, at);
    if (known) {
      const behind = at + this.#last.length;
      this.#beginKnown(known, this.#last.contentLength, behind === bytes.length);
      return behind;
    }
    // The end may lie across the border.
    const all = earlier ? Buffer.concat([earlier, bytes.subarray(at)]) : bytes;
    const from = earlier ? 0 : at;
    const end = all.indexOf(END_OF_HEAD, from);
    if ((end < 0 ? all.length : end) - from > MAX_HEAD_BYTES) throw new BadResponse('The headers are too long');
    if (end < 0) {
      // Lines that end otherwise have no end that this waits for.
      if (hasBareLineFeed(all, earlier ? earlier.length : from)) throw new BadResponse('A line without its CR');
      this.#head = earlier ? all : Buffer.from(all.subarray(from));
      return bytes.length;
    }
    this.#head = null;
    const after = end + 4 - (earlier ? earlier.length : 0) + (earlier ? at : 0);
    const head = readHead(all.toString('latin1', from, end + 2));
    this.#last.note(all, from, end + END_OF_HEAD.length, head);
    this.#begin(head, after === bytes.length);
    return after;
  }

  /** A response whose head is that of one before, but for the length of the body. */
  #beginKnown({ status, headers }: ResponseHead, contentLength: number, nothingFollows: boolean): void {
    this.#persistent = true;
    this.#left = contentLength;
    this.#state = LENGTH;
    this.#deliverHead(status, headers, nothingFollows);
  }

  #begin(head: ResponseHead, nothingFollows: boolean): void {
    const { status, headers, contentLength: length } = head;
    // Others come before the real one; a switch of protocols was not asked for.
    if (status === 101) throw new BadResponse('A switch to another protocol');
    if (status < 200) return;
    const coding = headers['transfer-encoding'];
    this.#persistent = staysOpen(head);
    if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') throw new BadResponse('An unknown Transfer-Encoding');
      if (length !== undefined) this.#persistent = false;
      this.#startSize();
    } else if (length !== undefined) {
      if (!digits.test(length)) throw new BadResponse('A broken Content-Length');
      this.#left = Number(length);
      this.#state = LENGTH;
    } else {
      this.#state = UNTIL_CLOSE;
    }
    this.#deliverHead(status, headers, nothingFollows);
  }

  #deliverHead(status: number, headers: IncomingHttpHeaders, nothingFollows: boolean): void {
    const empty = status === 204 || status === 304 || (this.#state === LENGTH && this.#left === 0);
    this.#listener.onHeaders(status, headers);
    if (empty && this.#state !== DONE) this.#complete(nothingFollows);
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    const chunked = this.#state === CHUNK;
    const last = !chunked && this.#left === 0;
    if (chunked && this.#left === 0) this.#state = CHUNK_CR;
    this.#listener.onData(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), last);
    if (last && this.#state !== DONE) this.#complete(end === bytes.length);
    return end;
  }

  #complete(nothingFollows: boolean): void {
    this.#state = DONE;
    this.#listener.onComplete(this.#persistent && nothingFollows);
  }

  #startSize(): void {
    this.#state = SIZE;
    this.#left = 0;
    this.#line = 0;
  }

  /** One byte of what stands around the chunks. */
  #readLine(c: number, lastByte: boolean): void {
    switch (this.#state) {
      case SIZE:
        return this.#readSize(c);
      case EXTENSION:
        if (++this.#line > MAX_LINE_BYTES || c === LF) throw new BadResponse('A broken chunk extension');
        if (c === CR) this.#state = SIZE_END;
        return;
      case SIZE_END:
        this.#expect(c, LF, this.#left === 0 ? TRAILER_START : CHUNK);
        this.#line = 0;
        return;
      case CHUNK_CR:
        return this.#expect(c, CR, CHUNK_LF);
      case CHUNK_LF:
        this.#expect(c, LF, SIZE);
        return this.#startSize();
      case TRAILER_START:
        this.#state = c === CR ? TRAILER_END : TRAILER;
        return;
      case TRAILER:
        if (++this.#line > MAX_LINE_BYTES) throw new BadResponse('The trailers are too long');
        if (c === LF) this.#state = TRAILER_START;
        return;
      default:
        this.#expect(c, LF, DONE);
        return this.#complete(lastByte);
    }
  }

  #readSize(c: number): void {
    const digit = hexDigit(c);
    if (digit >= 0) {
      if (++this.#line > MAX_SIZE_DIGITS) throw new BadResponse('A chunk is too large');
      this.#left = this.#left * 16 + digit;
    } else if (this.#line > 0 && c === CR) this.#state = SIZE_END;
    else if (this.#line > 0 && (c === SEMICOLON || c === SPACE || c === TAB)) this.#state = EXTENSION;
    else throw new BadResponse('A broken chunk size');
  }

  #expect(c: number, wanted: number, next: number): void {
    if (c !== wanted) throw new BadResponse('A chunk does not end where it should');
    this.#state = next;
  }
}
