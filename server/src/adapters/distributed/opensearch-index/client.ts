import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { OpenSearchOptions } from './options.ts';

/** What a request asks for. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** Path below the address, with names of ours alone: letters, digits, `-`, `_`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** A value that is sent as JSON, or lines of JSON that are ready. */
  readonly body?: object | string;
  readonly signal?: AbortSignal | undefined;
  /** For all attempts together: a server that stands still keeps nobody for four times as long. */
  readonly timeoutMs?: number;
  /** Attempts where the server is overloaded or cannot be reached; one for what must not be said twice. */
  readonly attempts?: number;
}

export interface Reply {
  readonly status: number;
  /** What the server said; null where it said nothing, or nothing in JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of another server, whose fields are looked at where they are used
  readonly body: any;
}

/** The server could not be reached, or did not answer in time. */
export class Unreachable extends Error {}
/** Its certificate is none that we trust, which does not pass by itself. */
class Untrusted extends Unreachable {}

export interface Client {
  /** Resolves with what the server answers, errors too. Throws Unreachable, and the reason of the signal. */
  send(request: Request): Promise<Reply>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const CONNECT_MS = 5_000;
const CLOSE_MS = 5_000;
const CONNECTIONS = 32;
const ATTEMPTS = 4;
const RETRY_DELAY_MS = 50;
const MAX_DELAY_MS = 5_000;
/** With less time left another attempt is not worth it. */
const MIN_ATTEMPT_MS = 500;

/** Why a certificate is not trusted. Source: Node.js, "X509 certificate error codes" and ERR_TLS_CERT_*. */
const UNTRUSTED = /^(?:UNABLE_TO_|CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** Troubles of a cluster as a whole, such as while it chooses another manager; 503 for shards is what the caller looks into. */
const PASSING = /cluster_manager_not_discovered|cluster_block_exception|process_cluster_event_timeout/;

/** The server is busy, or a proxy before it finds none. */
const isOverloaded = ({ status, body }: Reply): boolean =>
  status === 429 ||
  status === 502 ||
  status === 504 ||
  (status === 503 && (body === null || PASSING.test(String(body?.error?.type))));

/** The wait before another attempt, with chance in it: many that failed at once do not come back at once. */
export const retryDelay = (tries: number): number =>
  Math.min(MAX_DELAY_MS, RETRY_DELAY_MS * 2 ** tries) * (0.5 + Math.random());

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const pathOf = ({ path, query = {} }: Request): string => {
  const given = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return given === '' ? path : `${path}?${given}`;
};

/** A client of the REST calls that the adapter needs. Its package is loaded by the first call. */
export function createClient({ url, username, password, tls = {} }: OpenSearchOptions): Client {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const authorization = username === undefined ? {} : { authorization: `Basic ${credentials}` };
  let opening: Promise<Pool> | null = null;
  const open = () =>
    (opening ??= import('undici').then(
      ({ Pool: Connections }) =>
        new Connections(origin, { connections: CONNECTIONS, connect: { timeout: CONNECT_MS, ...tls } }),
    ));

  async function sendOnce(request: Request, timeoutMs: number): Promise<Reply> {
    const { method, body, signal } = request;
    const pool = await open();
    const lines = typeof body === 'string';
    try {
      const answer = await pool.request({
        method,
        path: base + pathOf(request),
        headers: {
          ...authorization,
          ...(body === undefined ? {} : { 'content-type': lines ? 'application/x-ndjson' : 'application/json' }),
        },
        body: body === undefined || lines ? (body ?? null) : JSON.stringify(body),
        signal: signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return { status: answer.statusCode, body: parse(await answer.body.text()) };
    } catch (error) {
      signal?.throwIfAborted();
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (UNTRUSTED.test(code))
        throw new Untrusted(`The certificate of OpenSearch is not trusted: ${message}`, { cause: error });
      throw new Unreachable(`OpenSearch cannot be reached: ${message}`, { cause: error });
    }
  }

  return {
    async send(request) {
      const { attempts = ATTEMPTS, signal, timeoutMs = TIMEOUT_MS } = request;
      const end = performance.now() + timeoutMs;
      for (let tries = 1; ; tries++) {
        signal?.throwIfAborted();
        const wait = retryDelay(tries);
        const isLast = () => tries >= attempts || performance.now() + wait + MIN_ATTEMPT_MS > end;
        try {
          const reply = await sendOnce(request, Math.max(1, Math.round(end - performance.now())));
          if (isLast() || !isOverloaded(reply)) return reply;
        } catch (error) {
          if (isLast() || !(error instanceof Unreachable) || error instanceof Untrusted) throw error;
        }
        await delay(wait, null, signal === undefined ? {} : { signal }).catch(() => undefined);
      }
    },
    async close() {
      const pool = await opening?.catch(() => null);
      if (!pool) return;
      // Whatever takes longer is dropped: no write of it was acknowledged.
      const late = setTimeout(() => void pool.destroy(), CLOSE_MS);
      await pool.close().catch(() => undefined);
      clearTimeout(late);
    },
  };
}
