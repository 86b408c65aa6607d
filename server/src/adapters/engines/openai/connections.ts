import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher, buildConnector } from 'undici';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** What one HTTP exchange brings. After `onEnd` or `onError` nothing follows; after `abort` nothing at all. */
export interface ExchangeListener {
  onHeaders(status: number, headers: IncomingHttpHeaders): void;
  onData(bytes: Buffer): void;
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
  /** Connections at one time; further exchanges wait. */
  readonly maxConnections: number;
  /** Exchanges that may wait; what goes beyond fails with the code {@link QUEUE_FULL}. */
  readonly maxWaiting: number;
  readonly keepAliveMs: number;
}

/** Code of the error of an exchange that found all connections taken and the queue full. */
export const QUEUE_FULL = 'QUEUE_FULL';

export interface Connections {
  send(request: HttpRequest, listener: ExchangeListener): Exchange;
  readonly open: number;
  readonly waiting: number;
  /** Breaks off everything. Safe to repeat. */
  close(): Promise<void>;
}

/** One HTTP/1.1 connection, used for one exchange at a time. */
interface Line {
  readonly client: Client;
  /** Whether an exchange has been completed on it. */
  used: boolean;
  gone: boolean;
}

/** Codes of a kept connection that the server had closed before the request reached it. */
const staleCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

class ExchangeError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** The lines of one address and who waits for one. */
interface Exchanges {
  /** A free line, a new one, or null when all are taken. `fresh` gives up all kept lines first. */
  take(fresh: boolean): Line | null;
  release(line: Line, reusable: boolean): void;
  drop(line: Line): void;
  /** Queues an exchange; false when the queue is full. */
  wait(exchange: OpenExchange): boolean;
  leave(exchange: OpenExchange): void;
  readonly closed: boolean;
}

/** One exchange; a class, as thousands are open at one time and closures would weigh more than the rest. */
class OpenExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #exchanges: Exchanges;
  readonly #listener: ExchangeListener;
  #request: HttpRequest | null;
  #line: Line | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #over = false;
  #answered = false;
  #paused = false;
  #retried = false;

  constructor(exchanges: Exchanges, request: HttpRequest, listener: ExchangeListener) {
    this.#exchanges = exchanges;
    this.#request = request;
    this.#listener = listener;
  }

  start(fresh: boolean): void {
    if (this.#exchanges.closed) return this.#failSoon('CLOSED');
    const line = this.#exchanges.take(fresh);
    if (!line) {
      if (!this.#exchanges.wait(this)) this.#failSoon(QUEUE_FULL);
      return;
    }
    this.#line = line;
    if (this.#request) line.client.dispatch(this.#request, this);
  }

  abort(): void {
    // The connection goes with it: that is how the server learns of the abort.
    if (!this.#over) this.#finish(false);
  }

  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) controller.abort(new ExchangeError('ABORTED'));
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx answers come before the real one.
    if (this.#over || status < 200) return;
    this.#answered = true;
    // Not sent again from here on, so that its body need not be kept.
    this.#request = null;
    if (this.#paused) controller.pause();
    this.#listener.onHeaders(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (!this.#over) this.#listener.onData(bytes);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#finish(true);
    this.#listener.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    if (this.#isStale(error)) {
      this.#retried = true;
      this.#controller = null;
      if (this.#line) this.#exchanges.drop(this.#line);
      this.#line = null;
      this.start(true);
      return;
    }
    this.#finish(false);
    this.#listener.onError(error);
  }

  /** Whether the server had closed a kept connection before the request reached it. */
  #isStale(error: Error): boolean {
    if (this.#line?.used !== true || this.#answered || this.#retried || this.#exchanges.closed) return false;
    return staleCodes.has((error as { code?: string }).code ?? '');
  }

  #finish(reusable: boolean): void {
    this.#over = true;
    this.#request = null;
    this.#exchanges.leave(this);
    const line = this.#line;
    this.#line = null;
    if (line) this.#exchanges.release(line, reusable);
  }

  #failSoon(code: string): void {
    queueMicrotask(() => {
      if (this.#over) return;
      this.#finish(false);
      this.#listener.onError(new ExchangeError(code));
    });
  }
}

/**
 * Connections to one address. Free ones are taken last in, first out, in constant time, however many are busy
 * (undici's Pool looks through all of them for each request). undici's own time limits for headers and bodies are off.
 */
export function createConnections({
  origin,
  socketPath,
  connectTimeoutMs,
  maxConnections,
  maxWaiting,
  keepAliveMs,
}: ConnectionOptions): Connections {
  const free: Line[] = [];
  const lines = new Set<Line>();
  /** In order. */
  const queue = new Set<OpenExchange>();
  const url = new URL(origin);
  /** One for all: each has a cache of TLS sessions. */
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    ...(socketPath === null ? {} : { socketPath }),
  });
  const clientOptions: Client.Options = {
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    allowH2: false,
    connect,
  };
  let closed = false;

  const drop = (line: Line) => {
    if (line.gone) return;
    line.gone = true;
    lines.delete(line);
    const at = free.indexOf(line);
    if (at >= 0) free.splice(at, 1);
    // The requests of a destroyed client were given up before; there is nobody to tell.
    line.client.destroy().catch(() => undefined);
  };

  const openLine = (): Line => {
    const client = new Client(url, clientOptions);
    const line: Line = { client, used: false, gone: false };
    client.on('disconnect', () => {
      if (free.includes(line)) drop(line);
    });
    lines.add(line);
    return line;
  };

  const startNext = () => {
    for (const exchange of queue) {
      queue.delete(exchange);
      return exchange.start(false);
    }
  };

  const exchanges: Exchanges = {
    take(fresh) {
      if (fresh) for (const line of free.splice(0)) drop(line);
      return free.pop() ?? (lines.size < maxConnections ? openLine() : null);
    },
    release(line, reusable) {
      if (reusable && !line.gone && !closed) {
        line.used = true;
        free.push(line);
      } else {
        drop(line);
      }
      startNext();
    },
    drop,
    wait(exchange) {
      if (queue.size >= maxWaiting) return false;
      queue.add(exchange);
      return true;
    },
    leave: (exchange) => void queue.delete(exchange),
    get closed() {
      return closed;
    },
  };

  return {
    send(request, listener) {
      const exchange = new OpenExchange(exchanges, request, listener);
      exchange.start(false);
      return exchange;
    },
    get open() {
      return lines.size;
    },
    get waiting() {
      return queue.size;
    },
    async close() {
      closed = true;
      for (const exchange of queue) exchange.start(false);
      queue.clear();
      const destroyed = [...lines].map((line) => line.client.destroy().catch(() => undefined));
      await Promise.all(destroyed);
      lines.clear();
      free.length = 0;
    },
  };
}
