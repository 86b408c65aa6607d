import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { EncodedBody } from '../../../ports/engine.ts';
import type { CallPriority } from '../../../kernel/priority.ts';
import { ADDRESS_REFUSED } from '../../../ports/engine-trouble.ts';
import { guardedLookup } from './http1/guarded-lookup.ts';
import { type Address, HttpConnection, ConnectionError, type ConnectionUser } from './http1/connection.ts';
import { LastHead } from './http1/last-head.ts';
import { WaitingLine } from './waiting-line.ts';

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
  /** Whether it waits for a connection to be free. */
  readonly waiting: boolean;
  /** Whether some of the request still waits for the server to take it. */
  readonly sending: boolean;
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
  /** Exchanges that may wait; what goes beyond fails with a {@link QueueFullError}. */
  readonly maxWaiting: number;
  /** And for how long, in milliseconds. What would wait for longer fails so at once. */
  readonly maxWaitMs: number;
  readonly keepAliveMs: number;
  /** Name of the header that names the session of a call; none where it is null or left out. Asked at each call. */
  readonly sessionHeader?: () => string | null;
  /** Name of the header that tells the server of the priority of a call; none where it is null or left out. */
  readonly priorityHeader?: string | null;
}

/** All connections are taken, and an exchange would wait, or has waited, for too long. */
export class QueueFullError extends ConnectionError {
  /** When another has a chance. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('QUEUE_FULL');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What is said of a call beside its request. */
export interface CallTags {
  /** Its turn where calls wait; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
  /** Visible ASCII, for {@link ConnectionOptions.sessionHeader}. */
  readonly session?: string | null | undefined;
}

export interface Connections {
  send(head: RequestHead, body: EncodedBody | null, listener: ExchangeListener, tags?: CallTags): Exchange;
  readonly open: number;
  readonly waiting: number;
  /** Whether an exchange that began now would find all connections taken. */
  readonly isFull: boolean;
  /** Seconds after which to try again, where an exchange that began now would fail with a {@link QueueFullError}; null where it would not. */
  readonly refusalSeconds: number | null;
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

/** Places that calls of the background leave free: an eighth, and one at least where there are several. */
const placesKept = (places: number): number => Math.min(places - 1, Math.max(1, Math.floor(places / 8)));

/** One exchange; a class, as thousands are open at one time and closures would weigh more than the rest. */
class OpenExchange implements Exchange, ConnectionUser {
  readonly #pool: Pool;
  readonly #listener: ExchangeListener;
  readonly #head: string;
  /** A question of the service itself, such as a health check: it has to be answered where all connections are taken, too. */
  readonly #isQuestion: boolean;
  readonly priority: CallPriority;
  #body: EncodedBody | null;
  #conn: HttpConnection | null = null;
  #over = false;
  #answered = false;
  #paused = false;
  #retried = false;
  #waiting = false;
  #sentMs = 0;

  constructor(
    pool: Pool,
    head: string,
    body: EncodedBody | null,
    listener: ExchangeListener,
    priority: CallPriority = 'interactive',
  ) {
    this.#pool = pool;
    this.priority = priority;
    this.#head = head;
    this.#isQuestion = body === null;
    this.#body = body;
    this.#listener = listener;
  }

  start(fresh: boolean): void {
    this.#waiting = false;
    if (this.#pool.closed) return this.#failSoon(new ConnectionError('CLOSED'));
    if (this.#pool.refused) return this.#failSoon(new ConnectionError(ADDRESS_REFUSED));
    const conn = this.#pool.acquire(fresh, this.#isQuestion ? null : this.priority);
    if (!conn) return this.#wait();
    this.#conn = conn;
    this.#sentMs = performance.now();
    if (this.#paused) conn.pause();
    conn.send(this, this.#head, this.#body ?? '');
  }

  get waiting(): boolean {
    return this.#waiting;
  }

  get sending(): boolean {
    return this.#conn?.sending === true;
  }

  /** It has waited for as long as it may. */
  overdue(error: QueueFullError): void {
    if (this.#over) return;
    this.#finish();
    this.#listener.onError(error);
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
      if (!this.#isQuestion) this.#pool.vacate(this.priority);
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
    if (conn) {
      if (!this.#isQuestion) this.#pool.served(this.priority, performance.now() - this.#sentMs);
      this.#pool.release(conn);
    } else if (this.#waiting) this.#pool.dequeue(this);
    this.#waiting = false;
  }

  #wait(): void {
    const seconds = this.#pool.enqueue(this);
    if (seconds === null) this.#waiting = true;
    else this.#failSoon(new QueueFullError(seconds));
  }

  #failSoon(error: ConnectionError): void {
    queueMicrotask(() => {
      if (this.#over) return;
      this.#finish();
      this.#listener.onError(error);
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
  /** Exchanges that have a connection, without questions of the service itself. */
  #calls = 0;
  /** Those of them for which nobody waits. */
  #background = 0;
  readonly #line: WaitingLine<OpenExchange>;
  #overdueTimer: NodeJS.Timeout | null = null;
  #sweeper: NodeJS.Timeout | null = null;
  /** The address itself, written out, is one that is never connected to. */
  readonly refused: boolean;
  closed = false;

  constructor(options: ConnectionOptions) {
    const { protocol, hostname, port, host } = new URL(options.origin);
    const tls = protocol === 'https:';
    const { maxConnections: places, maxWaiting, maxWaitMs } = options;
    this.#options = options;
    this.#line = new WaitingLine({ places, maxWaiting, maxWaitMs, now: () => performance.now() });
    this.#host = host;
    this.#address = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (tls ? 443 : 80) : Number(port),
      tls,
      socketPath: options.socketPath,
      connectTimeoutMs: options.connectTimeoutMs,
      lookup: options.isForbidden ? guardedLookup(options.isForbidden) : undefined,
      lastHead: new LastHead(),
      session: undefined,
    };
    const { host: address } = this.#address;
    this.refused = isIP(address) !== 0 && options.isForbidden?.(address) === true;
  }

  get open(): number {
    return this.#conns.size;
  }

  get waiting(): number {
    return this.#line.size;
  }

  get isFull(): boolean {
    return !this.#hasRoom;
  }

  get refusalSeconds(): number | null {
    return this.#hasRoom ? null : this.#line.refusalSeconds;
  }

  send(head: RequestHead, body: EncodedBody | null, listener: ExchangeListener, tags?: CallTags): Exchange {
    const text = this.#headOf(head);
    const length = body === null ? '\r\n' : `content-length: ${byteLength(body)}\r\n\r\n`;
    const exchange = new OpenExchange(this, text + this.#tagsOf(tags) + length, body, listener, tags?.priority);
    if (body !== null && exchange.priority === 'interactive' && this.#hasRoom) this.#line.foundPlace();
    exchange.start(false);
    return exchange;
  }

  /**
   * An idle connection, a new one, or null where a call finds all in use; `priority` is that of a call, null for what is none. `fresh` closes
   * all idle ones first.
   */
  acquire(fresh: boolean, priority: CallPriority | null): HttpConnection | null {
    if (fresh) for (const conn of this.#free.splice(0)) this.#drop(conn);
    if (priority !== null) {
      const isBackground = priority !== 'interactive';
      if (!(isBackground ? this.#hasBackgroundRoom : this.#hasRoom)) return null;
      this.#calls++;
      if (isBackground) this.#background++;
    }
    return this.#free.pop() ?? this.#openConn();
  }

  /** A call gives its place back. */
  vacate(priority: CallPriority): void {
    this.#calls--;
    if (priority !== 'interactive') this.#background--;
  }

  /** A call that had a connection for so long is over. */
  served(priority: CallPriority, ms: number): void {
    this.vacate(priority);
    this.#line.served(ms);
  }

  release(conn: HttpConnection): void {
    const isSpare = this.#conns.size > this.#options.maxConnections;
    if (!this.closed && !isSpare && conn.free()) {
      conn.idleSinceMs = performance.now();
      this.#free.push(conn);
      this.#sweeper ??= this.#startSweeper();
    } else {
      this.#drop(conn);
    }
    this.#startNext();
  }

  /** Queues an exchange. Returns null, or where the queue is full the seconds after which it has a chance. */
  enqueue(exchange: OpenExchange): number | null {
    const seconds = this.#line.enter(exchange, exchange.priority);
    if (seconds === null) this.#watchLine();
    return seconds;
  }

  dequeue(exchange: OpenExchange): void {
    this.#line.leave(exchange);
  }

  /** An idle connection is gone, or its exchange is told next. */
  lost(conn: HttpConnection): void {
    this.#drop(conn);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.#sweeper) clearInterval(this.#sweeper);
    if (this.#overdueTimer) clearTimeout(this.#overdueTimer);
    for (let waiting = this.#line.next(); waiting; waiting = this.#line.next()) waiting.start(false);
    for (const conn of this.#conns) conn.terminate();
    this.#conns.clear();
    this.#free.length = 0;
  }

  /** The headers that say of a call what the server is to know beside its request. */
  #tagsOf(tags: CallTags | undefined): string {
    const { session, priority } = tags ?? {};
    const { sessionHeader, priorityHeader } = this.#options;
    const isSaid = session !== undefined && session !== null;
    const sessionName = isSaid ? (sessionHeader?.() ?? null) : null;
    const head = sessionName === null ? '' : `${sessionName}: ${session}\r\n`;
    return priority === undefined || !priorityHeader ? head : `${head}${priorityHeader}: ${priority}\r\n`;
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

  /** Whether an exchange need not wait. */
  get #hasRoom(): boolean {
    return this.#calls < this.#options.maxConnections;
  }

  /** Whether one for which nobody waits need not either: some places are kept for the others. */
  get #hasBackgroundRoom(): boolean {
    const { maxConnections } = this.#options;
    return this.#hasRoom && this.#background < maxConnections - placesKept(maxConnections);
  }

  #startNext(): void {
    if (this.#line.size > 0 && this.#hasRoom) this.#line.next(!this.#hasBackgroundRoom)?.start(false);
  }

  /** Ends what has waited for as long as it may, when that is so. */
  #watchLine(): void {
    const { overdueInMs } = this.#line;
    if (this.#overdueTimer || overdueInMs === null || this.#options.maxWaitMs === Infinity) return;
    this.#overdueTimer = setTimeout(() => {
      this.#overdueTimer = null;
      for (const exchange of this.#line.takeOverdue()) exchange.overdue(new QueueFullError(this.#line.retrySeconds));
      this.#watchLine();
    }, Math.ceil(overdueInMs)).unref();
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
