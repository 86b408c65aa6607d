import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import type { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { askWeb, readAll, redirected, redirectOf, toFile, type WebReply, type WebRequest } from './web.ts';

// Services of others that are asked in JSON, one request after the other, as gently as they wish.

/** A service at an address. */
export interface JsonApiOptions {
  /** Where secrets are sent: to this origin alone. */
  readonly origin: string;
  readonly request: WebRequest;
  /** The header that says who asks. `isStale`: what it gave last was refused. */
  readonly authorization: (signal: AbortSignal, isStale: boolean) => Promise<string>;
  /** Whether a refusal only says that it is asked too often. */
  readonly isThrottled?: (status: number, body: string) => boolean;
  /** Waits; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** An answer that is not the one that was asked for. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

export interface JsonApi {
  /** Asks, and reads the answer. Refusals that `expect` knows are given to the caller. Rejects as `askWeb`. */
  get<T>(
    url: string,
    schema: z.ZodType<T>,
    signal: AbortSignal,
    expect?: (refusal: Refusal) => boolean,
  ): Promise<T | Refusal>;
  /** Writes what stands at an address, or where it sends on to, into a file. Rejects as `askWeb`. */
  download(
    url: string,
    file: { readonly path: string; readonly maxBytes: number },
    signal: AbortSignal,
  ): Promise<number>;
}

/** Longest answer: some thousand entries. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
/** Times that a request is made again where a service asks for patience, and how long that is waited for at most. */
const MAX_PATIENCE = 6;
const MAX_WAIT_MS = 120_000;
const MAX_REDIRECTS = 5;

/** Pages of a listing at most: many times what the longest has. */
const MAX_PAGES = 20_000;

/** Counts the pages of a listing. What it gives is told the next page, and throws StudioError `unavailable` where they come to no end. */
export function createPageCount(): (next: string) => void {
  let [pages, last] = [0, ''];
  return (next) => {
    if (next === last || ++pages > MAX_PAGES) throw sourceFailure('pages_endless');
    last = next;
  };
}

export const isRefusal = (given: unknown): given is Refusal =>
  typeof given === 'object' &&
  given !== null &&
  'status' in given &&
  'body' in given &&
  Object.keys(given).length === 2;

/** How long a service asks to be left alone. Source: RFC 9110, 10.2.3. */
function patienceOf(headers: ReadonlyMap<string, string>, nth: number): number {
  const given = headers.get('retry-after') ?? '';
  const asked = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  return Math.min(MAX_WAIT_MS, Number.isNaN(asked) ? 1_000 * 2 ** nth : Math.max(asked, 500));
}

/** Reads an answer in JSON. Throws StudioError `unavailable` for another one. */
export async function readJson<T>({ body }: Pick<WebReply, 'body'>, schema: z.ZodType<T>): Promise<T> {
  const text = (await readAll(body, MAX_JSON_BYTES)).toString('utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw sourceFailure('answer_odd', { cause });
  }
}

const any: readonly number[] = Array.from({ length: 500 }, (_, at) => at + 100);

/** What a refusal means. */
function failureOf({ status }: Refusal): StudioError {
  if (status === 401 || status === 403) return sourceFailure('access_refused', { values: { status } });
  if (status === 404 || status === 410) return sourceFailure('document_gone');
  if (status === 400)
    return sourceFailure('not_understood', {
      param: 'settings',
    });
  return sourceFailure('server_answered', { values: { status } });
}

/** Opens a service. */
export function createJsonApi(options: JsonApiOptions): JsonApi {
  const {
    origin,
    request,
    authorization,
    isThrottled,
    wait = (ms, signal) => delay(ms, undefined, { signal }),
  } = options;

  /** Asks until the service takes it: `read` is given what is fine. */
  async function ask<T>(
    url: URL,
    signal: AbortSignal,
    read: (reply: WebReply) => Promise<T>,
    fine: readonly number[],
  ): Promise<{ readonly value: T } | { readonly refusal: Refusal }> {
    const isOurs = url.origin === origin;
    let isStale = false;
    for (let nth = 0; ; nth++) {
      const headers = { accept: '*/*', ...(isOurs ? { authorization: await authorization(signal, isStale) } : {}) };
      const given = await askWeb(request, url.href, { headers, redirects: 'give', signal }, any, async (reply) => {
        if (fine.includes(reply.status)) return { value: await read(reply) };
        const body = (await readAll(reply.body, MAX_REFUSAL_BYTES)).toString('utf8');
        return { refusal: { status: reply.status, body }, patience: patienceOf(reply.headers, nth) };
      });
      if ('value' in given) return given;
      const { refusal, patience } = given;
      const { status, body } = refusal;
      // A key that ran out meanwhile is asked for anew, once.
      if (status === 401 && isOurs && !isStale) {
        isStale = true;
        continue;
      }
      const isBusy = status === 429 || status === 503 || isThrottled?.(status, body) === true;
      if (!isBusy) return { refusal };
      if (nth >= MAX_PATIENCE) throw sourceFailure('too_busy');
      await wait(patience, signal);
    }
  }

  return {
    async get(url, schema, signal, expect) {
      const at = new URL(url);
      // Services name their further pages themselves.
      if (at.origin !== origin) throw sourceFailure('page_elsewhere');
      const given = await ask(at, signal, (reply) => readJson(reply, schema), [200]);
      if ('value' in given) return given.value;
      if (expect?.(given.refusal) === true) return given.refusal;
      throw failureOf(given.refusal);
    },
    async download(url, { path, maxBytes }, signal) {
      let at = new URL(url);
      for (let nth = 0; nth <= MAX_REDIRECTS; nth++) {
        const from = at;
        const given = await ask(
          from,
          signal,
          async (reply) =>
            reply.status === 200
              ? { bytes: await toFile(reply.body, path, maxBytes, signal) }
              : { to: redirectOf(reply, from) },
          [200, ...redirected],
        );
        if ('refusal' in given) throw failureOf(given.refusal);
        const { value } = given;
        if ('bytes' in value) return value.bytes;
        if (value.to === null) break;
        at = value.to;
      }
      throw sourceFailure('redirects_elsewhere');
    },
  };
}

/** What a token is asked for with. */
export interface TokenRequest {
  readonly url: string;
  /** Made anew for each token. */
  readonly form: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  readonly request: WebRequest;
  readonly now?: () => number;
}

/** A token is asked for anew this long before its end. */
const EARLY_MS = 120_000;

/** Gives tokens of OAuth 2.0, and asks for another one where it is stale or near its end. Source: RFC 6749, 5. */
export function createTokens(
  schema: z.ZodType<{ readonly access_token: string; readonly expires_in: number }>,
  { url, form, request, now = Date.now }: TokenRequest,
): JsonApiOptions['authorization'] {
  let held: { readonly token: string; readonly until: number } | null = null;
  return async (signal, isStale) => {
    if (held === null || isStale || now() >= held.until) {
      const body = new URLSearchParams(await form()).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      held = await askWeb(request, url, { method: 'POST', headers, body, signal }, [200, 400, 401], async (reply) => {
        if (reply.status !== 200) throw sourceFailure('secrets_refused');
        const { access_token: token, expires_in: seconds } = await readJson(reply, schema);
        return { token, until: now() + seconds * 1_000 - EARLY_MS };
      });
    }
    return `Bearer ${held.token}`;
  };
}
