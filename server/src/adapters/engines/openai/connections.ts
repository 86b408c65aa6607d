import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';

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

/**
 * Connections to one address. Free ones are taken last in, first out, in constant time, however many are busy
 * (undici's Pool looks through all of them for each request). undici's own time limits for headers and bodies are off.
 */
export function createConnections({ origin, socketPath, connectTimeoutMs, maxConnections, maxWaiting, keepAliveMs }: ConnectionOptions): Connections {
  const free: Line[] = [];
  const lines = new Set<Line>();
  /** Starts of the exchanges that wait, in order. */
  const queue = new Set<() => void>();
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
    const client = new Client(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      allowH2: false,
      // connectTimeout holds for the built-in connector only, which socketPath is part of.
      connect: { timeout: connectTimeoutMs, ...(socketPath === null ? {} : { socketPath }) },
    });
    const line: Line = { client, used: false, gone: false };
    client.on('disconnect', () => {
      if (free.includes(line)) drop(line);
    });
    lines.add(line);
    return line;
  };

  const takeLine = (fresh: boolean): Line | null => {
    if (fresh) for (const line of free.splice(0)) drop(line);
    const line = free.pop();
    if (line) return line;
    return lines.size < maxConnections ? openLine() : null;
  };

  const release = (line: Line, reusable: boolean) => {
    if (reusable && !line.gone && !closed) {
      line.used = true;
      free.push(line);
    } else {
      drop(line);
    }
    next();
  };

  const next = () => {
    for (const start of queue) {
      queue.delete(start);
      return start();
    }
  };

  const send = (request: HttpRequest, listener: ExchangeListener): Exchange => {
    let line: Line | null = null;
    let controller: Dispatcher.DispatchController | null = null;
    let over = false;
    let answered = false;
    let paused = false;
    let retried = false;

    const finish = (reusable: boolean) => {
      over = true;
      queue.delete(startQueued);
      const done = line;
      line = null;
      if (done) release(done, reusable);
    };

    const handlerOf = (own: Line): Dispatcher.DispatchHandler => ({
      onRequestStart(given) {
        if (over) return given.abort(new ExchangeError('ABORTED'));
        controller = given;
      },
      onResponseStart(given, status, headers) {
        // 1xx answers come before the real one.
        if (over || status < 200) return;
        answered = true;
        if (paused) given.pause();
        listener.onHeaders(status, headers);
      },
      onResponseData(_given, bytes) {
        if (!over) listener.onData(bytes);
      },
      onResponseEnd() {
        if (over) return;
        finish(true);
        listener.onEnd();
      },
      onResponseError(_given, error) {
        if (over) return;
        if (own.used && !answered && !retried && !closed && staleCodes.has((error as { code?: string }).code ?? '')) {
          retried = true;
          controller = null;
          drop(own);
          line = null;
          start(true);
          return;
        }
        finish(false);
        listener.onError(error);
      },
    });

    const failSoon = (code: string) => {
      queueMicrotask(() => {
        if (over) return;
        finish(false);
        listener.onError(new ExchangeError(code));
      });
    };

    const startQueued = () => start(false);
    const start = (fresh: boolean) => {
      if (closed) return failSoon('CLOSED');
      line = takeLine(fresh);
      if (!line) {
        if (queue.size >= maxWaiting) failSoon(QUEUE_FULL);
        else queue.add(startQueued);
        return;
      }
      const { method, path, headers, body } = request;
      line.client.dispatch({ method, path, headers, body }, handlerOf(line));
    };

    const exchange: Exchange = {
      abort() {
        if (over) return;
        // The connection goes with it: that is how the server learns of the abort.
        finish(false);
      },
      pause() {
        paused = true;
        controller?.pause();
      },
      resume() {
        paused = false;
        controller?.resume();
      },
    };
    start(false);
    return exchange;
  };

  return {
    send,
    get open() {
      return lines.size;
    },
    get waiting() {
      return queue.size;
    },
    async close() {
      closed = true;
      for (const start of queue) start();
      queue.clear();
      const destroyed = [...lines].map((line) => line.client.destroy().catch(() => undefined));
      await Promise.all(destroyed);
      lines.clear();
      free.length = 0;
    },
  };
}
