import type { IncomingHttpHeaders } from 'node:http';
import { checkJsonHeaders } from '../../http-kit/body.ts';
import {
  DISCARD_TIMEOUT_MS,
  type ExchangeListener,
  type FlatHeaders,
  type HttpExchange,
  MAX_DISCARDED_BYTES,
} from '../../http-kit/http-exchange.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type BodyMemory, freeRead } from './body-memory.ts';
import type { RequestHead } from './request-head.ts';
import { type ReplyFrame, renderReplyHead } from './reply-head.ts';

/** The connection of an exchange. */
export interface ExchangeConnection {
  readonly memory: BodyMemory;
  /** For the reply that begins now. */
  frame(): ReplyFrame;
  /** False where whoever writes should wait. `written` is called when the system has the bytes. */
  send(bytes: string, written?: () => void): boolean;
  pause(): void;
  resume(): void;
  destroy(): void;
  /** The reply was handed to the system whole. */
  replied(): void;
}

/** Body of a request that nobody reads yet; then the client waits. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** The rest of a body that nobody wants. */
interface Discarding {
  /** Bytes that may still come. */
  left: number;
  /** Closes the connection. */
  readonly timer: NodeJS.Timeout;
}

const NOTHING: readonly Buffer[] = [];

/** One request that the front has read, and its reply. */
export class FrontExchange implements HttpExchange {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  readonly startedMs: number;
  headersSent = false;
  statusCode = 200;
  isEnded = false;
  isFinished = false;
  /** Bytes of the body that have not come. */
  missing: number;
  /** Whether the connection is closed after the reply. */
  closesAfter = false;
  readonly #connection: ExchangeConnection;
  #pieces: readonly Buffer[] | Buffer[] = NOTHING;
  /** Reads that brought the pieces and nothing else, to be freed with them. */
  #reads: readonly Buffer[] | Buffer[] = NOTHING;
  /** The body, where it was made of several pieces. */
  #joined: Buffer | null = null;
  #unread = 0;
  #listener: ExchangeListener | null = null;
  #reader: PromiseWithResolvers<Buffer> | null = null;
  /** What may still be discarded; null where the body is wanted. */
  #discarding: Discarding | null = null;
  #gone = false;

  constructor(connection: ExchangeConnection, { path, headers, contentLength }: RequestHead, nowMs: number) {
    this.#connection = connection;
    this.headers = headers;
    this.url = path;
    this.missing = contentLength;
    this.startedMs = nowMs;
  }

  get isComplete(): boolean {
    return this.missing === 0;
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
  }

  /** Takes a piece of the body; the connection gives no more than is missing. `read` brought it, where that holds nothing of others. */
  take(piece: Buffer, read: Buffer | null): void {
    this.missing -= piece.length;
    if (this.#discarding) return this.#discard(this.#discarding, piece.length);
    this.#pieces = appended(this.#pieces, piece);
    if (read) this.#reads = appended(this.#reads, read);
    if (this.#reader) {
      if (this.missing === 0) this.#reader.resolve(this.#whole());
      return;
    }
    this.#unread += piece.length;
    if (this.missing > 0 && this.#unread > MAX_UNREAD_BYTES) this.#connection.pause();
  }

  readBody(maxBytes: number): Buffer | Promise<Buffer> {
    checkJsonHeaders(this.headers, maxBytes);
    if (this.missing === 0) return this.#whole();
    if (this.#gone) throw clientClosed();
    this.#reader = Promise.withResolvers<Buffer>();
    this.#connection.resume();
    return this.#reader.promise;
  }

  releaseBody(): void {
    if (this.#joined) this.#connection.memory.give(this.#joined);
    this.#joined = null;
    this.#freeReads();
  }

  discardBody(): void {
    this.#pieces = NOTHING;
    const timer = setTimeout(() => this.#connection.destroy(), DISCARD_TIMEOUT_MS).unref();
    this.#discarding = { left: MAX_DISCARDED_BYTES, timer };
    this.#connection.resume();
  }

  reply(status: number, headers: FlatHeaders, bytes: string): void {
    const head = this.#head(status, headers, false);
    this.isEnded = true;
    this.#connection.send(head + bytes, () => this.#finish());
  }

  openStream(status: number, headers: FlatHeaders): void {
    this.#connection.send(this.#head(status, headers, true));
  }

  write(bytes: string): boolean {
    return this.#connection.send(`${bytes.length.toString(16)}\r\n${bytes}\r\n`);
  }

  end(): void {
    this.isEnded = true;
    this.#connection.send('0\r\n\r\n', () => this.#finish());
  }

  endConnection(): void {
    this.closesAfter = true;
    this.end();
  }

  drained(): void {
    this.#listener?.drained();
  }

  /** The connection is gone. */
  lost(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#discarding) clearTimeout(this.#discarding.timer);
    this.#reader?.reject(clientClosed());
    if (!this.isFinished) this.#listener?.closed();
  }

  #head(status: number, headers: FlatHeaders, isStream: boolean): string {
    const frame = this.#connection.frame();
    this.headersSent = true;
    this.statusCode = status;
    this.closesAfter = frame.closes;
    return renderReplyHead(status, headers, frame, isStream);
  }

  #finish(): void {
    if (this.#gone) return;
    this.isFinished = true;
    this.#listener?.closed();
    this.#connection.replied();
  }

  #discard(discarding: Discarding, bytes: number): void {
    discarding.left -= bytes;
    if (discarding.left < 0) this.#connection.destroy();
    else if (this.missing === 0) clearTimeout(discarding.timer);
  }

  #whole(): Buffer {
    const pieces = this.#pieces;
    const [first] = pieces;
    this.#pieces = NOTHING;
    if (first === undefined) return Buffer.alloc(0);
    if (pieces.length === 1) return first;
    this.#joined = this.#connection.memory.join(pieces);
    this.#freeReads();
    return this.#joined;
  }

  #freeReads(): void {
    for (const read of this.#reads) freeRead(read);
    this.#reads = NOTHING;
  }
}

function appended(list: readonly Buffer[] | Buffer[], item: Buffer): readonly Buffer[] {
  if (list.length === 0) return [item];
  (list as Buffer[]).push(item);
  return list;
}

const clientClosed = () => new StudioError('client_closed', 'The client closed the connection');
