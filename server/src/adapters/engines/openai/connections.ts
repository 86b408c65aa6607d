import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { EncodedBody } from '../../../ports/engine.ts';
import { ADDRESS_REFUSED } from '../../../ports/engine-trouble.ts';
import { guardedLookup } from './http1/guarded-lookup.ts';
import { type Address, HttpConnection, ConnectionError, type ConnectionUser } from './http1/connection.ts';

/** Head of a request, rendered once for all requests that share them. */
export interface RequestHead {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one HTTP exchange brings. After `onEnd` or `onError` nothing follows; after `abort` nothing at all. */
export interface ExchangeListener {
  onHeaders(status: number, headers: IncomingHttpHeaders): void;
  /** `bytes` are good during the call only. `last` when nothing but `onEnd` follows, at once. */
  onData(bytes: Buffer, last: boolean): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** An exchange under way. */
export interface Exchange {
  /** Ends it at once, in whichever phase it is; the server sees the connection close. Safe to repeat. */
  abort(): void;
  pause(): void;
  resume(): void;
}

export interface ConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly socketPath: string | null;
  readonly connectTimeoutMs: number;
  /** Addresses that are never connected to, whatever name leads there; what would be fails with ADDRESS_REFUSED. */
  readonly isForbidden?: (address: string) => boolean;
  /** Connections at one time; further exchanges wait. */
  readonly maxConnections: number;
  /** Exchanges that may wait; what goes beyond fails with the code {@link QUEUE_FULL}. */
  readonly maxWaiting: number;
  readonly keepAliveMs: number;
}

/** Code of the error of an exchange that found all connections taken and the queue full. */
export const QUEUE_FULL = 'QUEUE_FULL';

export interface Connections {
  send(head: RequestHead, body: EncodedBody | null, listener: ExchangeListener): Exchange;
  readonly open: number;
  readonly waiting: number;
  /** Breaks off everything. Safe to repeat. */
  close(): Promise<void>;
}

/** Codes of a kept connection that the server had closed before the request reached it. */
const staleCodes = new Set(['CLOSED_EARLY', 'ECONNRESET', 'EPIPE']);

const headerName = /^[!#$%&'*+\-.^_`|~0-9a-zA-Z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const requestPath = /^\/[\x21-\x7e]*$/;

/** The head up to the length of the body. Throws TypeError for what would not be a head. */
function renderHead({ method, path, headers }: RequestHead, host: string): string {
  if (!requestPath.test(path)) throw new TypeError(`Not the path of a request: ${JSON.stringify(path)}`);
  let text = `${method} ${path} HTTP/1.1\r\n`;
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'host')) text += `host: ${host}\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || !headerValue.test(value)) throw new TypeError(`Not a header: ${name}`);
    text += `${name}: ${value}\r\n`;
  }
  return `${text}connection: keep-alive\r\n`;
}

const byteLength = (body: EncodedBody): number =>
  typeof body === 'string' ? body.length : body.reduce((sum, { length }) => sum + length, 0);

/** One exchange; a class, as thousands are open at one time and closures would weigh more than the rest. */
class OpenExchange implements Exchange, ConnectionUser {
  readonly #pool: Pool;
  readonly #listener: ExchangeListener;
  readonly #head: string;
  #body: EncodedBody | null;
  #conn: HttpConnection | null = null;
  #over = false;
  #answered = false;
  #paused = false;
  #retried = false;

  constructor(pool: Pool, head: string, body: EncodedBody, listener: ExchangeListener) {
    this.#pool = pool;
    this.#head = head;
    this.#body = body;
    this.#listener = listener;
  }

  start(fresh: boolean): void {
    if (this.#pool.closed) return this.#failSoon('CLOSED');
    if (this.#pool.refused) return this.#failSoon(ADDRESS_REFUSED);
    const conn = this.#pool.acquire(fresh);
    if (!conn) {
      if (!this.#pool.enqueue(this)) this.#failSoon(QUEUE_FULL);
      return;
    }
    this.#conn = conn;
    if (this.#paused) conn.pause();
    conn.send(this, this.#head, this.#body ?? '');
  }

  abort(): void {
    // The connection goes with it: that is how the server learns of the abort.
    if (!this.#over) this.#finish();
  }

  pause(): void {
    this.#paused = true;
    this.#conn?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#conn?.resume();
  }

  onHeaders(status: number, headers: IncomingHttpHeaders): void {
    this.#answered = true;
    // Not sent again from here on, so that its body need not be kept.
    this.#body = null;
    this.#listener.onHeaders(status, headers);
  }

  onData(bytes: Buffer, last: boolean): void {
    if (!this.#over) this.#listener.onData(bytes, last);
  }

  onEnd(): void {
    if (this.#over) return;
    this.#finish();
    this.#listener.onEnd();
  }

  onError(error: Error): void {
    if (this.#over) return;
    if (this.#isStale(error)) {
      this.#retried = true;
      this.#conn = null;
      this.start(true);
      return;
    }
    this.#finish();
    this.#listener.onError(error);
  }

  /** Whether the server had closed an idle connection before the request reached it. */
  #isStale(error: Error): boolean {
    if (this.#conn?.used !== true || this.#answered || this.#retried || this.#pool.closed) return false;
    return staleCodes.has((error as { code?: string }).code ?? '');
  }

  #finish(): void {
    this.#over = true;
    this.#body = null;
    const conn = this.#conn;
    this.#conn = null;
    if (conn) this.#pool.release(conn);
    else this.#pool.dequeue(this);
  }

  #failSoon(code: string): void {
    queueMicrotask(() => {
      if (this.#over) return;
      this.#finish();
      this.#listener.onError(new ConnectionError(code));
    });
  }
}

/** Connection pool of one address, with its queue. Idle connections are reused last in, first out. */
class Pool implements Connections {
  readonly #options: ConnectionOptions;
  readonly #address: Address;
  readonly #host: string;
  readonly #heads = new WeakMap<RequestHead, string>();
  readonly #conns = new Set<HttpConnection>();
  readonly #free: HttpConnection[] = [];
  /** In order. */
  readonly #queue = new Set<OpenExchange>();
  #sweeper: NodeJS.Timeout | null = null;
  /** The address itself, written out, is one that is never connected to. */
  readonly refused: boolean;
  closed = false;

  constructor(options: ConnectionOptions) {
    const { protocol, hostname, port, host } = new URL(options.origin);
    const tls = protocol === 'https:';
    this.#options = options;
    this.#host = host;
    this.#address = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (tls ? 443 : 80) : Number(port),
      tls,
      socketPath: options.socketPath,
      connectTimeoutMs: options.connectTimeoutMs,
      lookup: options.isForbidden ? guardedLookup(options.isForbidden) : undefined,
      session: undefined,
    };
    const { host: address } = this.#address;
    this.refused = isIP(address) !== 0 && options.isForbidden?.(address) === true;
  }

  get open(): number {
    return this.#conns.size;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  send(head: RequestHead, body: EncodedBody | null, listener: ExchangeListener): Exchange {
    const text = this.#headOf(head);
    const length = body === null ? '\r\n' : `content-length: ${byteLength(body)}\r\n\r\n`;
    const exchange = new OpenExchange(this, text + length, body ?? '', listener);
    exchange.start(false);
    return exchange;
  }

  /** An idle connection, a new one, or null when all are in use. `fresh` closes all idle ones first. */
  acquire(fresh: boolean): HttpConnection | null {
    if (fresh) for (const conn of this.#free.splice(0)) this.#drop(conn);
    return this.#free.pop() ?? (this.#conns.size < this.#options.maxConnections ? this.#openConn() : null);
  }

  release(conn: HttpConnection): void {
    if (!this.closed && conn.free()) {
      conn.idleSinceMs = performance.now();
      this.#free.push(conn);
      this.#sweeper ??= this.#startSweeper();
    } else {
      this.#drop(conn);
    }
    if (this.#queue.size > 0) this.#startNext();
  }

  /** Queues an exchange; false when the queue is full. */
  enqueue(exchange: OpenExchange): boolean {
    if (this.#queue.size >= this.#options.maxWaiting) return false;
    this.#queue.add(exchange);
    return true;
  }

  dequeue(exchange: OpenExchange): void {
    this.#queue.delete(exchange);
  }

  lost(conn: HttpConnection): void {
    this.#drop(conn);
    if (this.#queue.size > 0) this.#startNext();
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.#sweeper) clearInterval(this.#sweeper);
    for (const exchange of this.#queue) exchange.start(false);
    this.#queue.clear();
    for (const conn of this.#conns) conn.terminate();
    this.#conns.clear();
    this.#free.length = 0;
  }

  #headOf(head: RequestHead): string {
    let text = this.#heads.get(head);
    if (text === undefined) this.#heads.set(head, (text = renderHead(head, this.#host)));
    return text;
  }

  #openConn(): HttpConnection {
    const conn = new HttpConnection(this, this.#address);
    this.#conns.add(conn);
    return conn;
  }

  #drop(conn: HttpConnection): void {
    this.#conns.delete(conn);
    const at = this.#free.indexOf(conn);
    if (at >= 0) this.#free.splice(at, 1);
    conn.destroy();
  }

  #startNext(): void {
    for (const exchange of this.#queue) {
      this.#queue.delete(exchange);
      return exchange.start(false);
    }
  }

  /** Closes connections that exceeded the keep-alive time. The least recently used ones come first. */
  #startSweeper(): NodeJS.Timeout {
    const { keepAliveMs } = this.#options;
    const sweep = () => {
      const now = performance.now();
      const old = this.#free.filter((conn) => now - conn.idleSinceMs >= Math.min(keepAliveMs, conn.keepAliveMs));
      for (const conn of old) this.#drop(conn);
      if (this.#free.length > 0 || !this.#sweeper) return;
      clearInterval(this.#sweeper);
      this.#sweeper = null;
    };
    return setInterval(sweep, Math.max(10, Math.min(keepAliveMs / 8, 500))).unref();
  }
}

/**
 * Connections to one address, with our own HTTP/1.1 client: half the work of undici's for each request and each piece
 * of a stream (docs/decisions). Time limits other than for connecting are the caller's.
 */
export const createConnections = (options: ConnectionOptions): Connections => new Pool(options);
