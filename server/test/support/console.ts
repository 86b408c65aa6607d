import { ConsoleError, type ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { expect } from 'vitest';
import { startNode, type StudioNode } from '../../src/compose.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Database } from '../../src/ports/database.ts';
import { type FreshDatabase, freshDatabase, silent, temporaryFolder } from './postgres.ts';
import { rmSync } from 'node:fs';

/** The service in this process, on a database of its own. */
export interface ConsoleHouse {
  readonly base: string;
  readonly db: Database;
  readonly fresh: FreshDatabase;
  readonly node: StudioNode;
  readonly dataFolder: string;
  /** A browser that knows nothing yet. */
  browser(options?: BrowserOptions): Browser;
  close(): Promise<void>;
}

interface BrowserOptions {
  /** Address under which the browser knows the house. */
  readonly at?: string;
  /** Header Origin; null sends none. The house's own where it is left out. */
  readonly origin?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as it was sent; a test asserts on what it reads from it. */
  json<T = Record<string, unknown>>(): T;
}

/** Keeps cookies like a browser and calls the console's own interface. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Any call; paths stand below /console/api. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export async function openConsoleHouse(config: Readonly<Record<string, string>> = {}): Promise<ConsoleHouse> {
  const fresh = await freshDatabase();
  const dataDir = temporaryFolder();
  const env = { STUDIO_DATA_DIR: dataDir, STUDIO_PROBE_ENABLED: 'false', STUDIO_SERVER_PORT: '1', ...config };
  const loaded = loadConfig({ env, cwd: dataDir });
  const node = await startNode({
    // Any free port.
    config: { ...loaded.config, server: { ...loaded.config.server, port: 0 } },
    catalogue: loaded.catalogue,
    connection: fresh.connection,
    version: '1.2.3',
    // A failure that nobody foresaw fails the test with a 500; here it says why.
    log: { ...silent, error: (...told) => console.error(...told) },
    checkReplies: true,
    // Little work: what is tested is not how long a guess takes.
    passwordCost: { log2n: 5, r: 8, p: 1 },
  });
  const base = `http://127.0.0.1:${node.port}`;
  return {
    base,
    db: fresh.db,
    fresh,
    node,
    dataFolder: dataDir,
    browser: (options) => openBrowser(options?.at ?? base, options),
    async close() {
      await node.close(0);
      await fresh.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A browser at an address that knows nothing yet. */
export function openBrowser(base: string, { origin = base, headers: always = {} }: BrowserOptions = {}): Browser {
  const cookies = new Map<string, string>();
  const send: Browser['send'] = async (method, path, body, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${base}/console/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(origin === null ? {} : { origin }),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: <T>() => JSON.parse(text) as T };
  };
  return {
    cookies,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  };
}

/** Asserts that an answer is a failure in the form of the console. */
export function expectRefused(answer: Answer, status: number, reason?: ConsoleReason | null): ConsoleError['error'] {
  expect(answer.status, answer.text).toBe(status);
  const { error } = ConsoleError.parse(answer.json());
  expect(error.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.headers.get('cache-control')).toBe('no-store');
  if (reason !== undefined) expect(error.reason, answer.text).toBe(reason);
  return error;
}
