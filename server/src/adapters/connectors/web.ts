import type { ConnectorReason } from '@ai-studio/contract/retrieval/connector-reasons.ts';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { unpacked } from './content-coding.ts';

/** A reply whose body has not been read. Must be closed. */
export interface WebReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Asks an address that a user named, behind the address guard; follows no redirects, and gives them to the caller only where they are asked
 * for. Rejects with an error whose message may be shown, and whose `kind` says what it is, or with the signal's reason.
 */
export type WebRequest = (
  url: string,
  options: {
    readonly method: 'GET' | 'POST' | 'PROPFIND';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly redirects?: 'refuse' | 'give';
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
) => Promise<WebReply>;

export interface WebAsk {
  readonly method?: 'GET' | 'POST' | 'PROPFIND';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether replies that send on to another address are given to `read`; refused where left out. */
  readonly redirects?: 'refuse' | 'give';
  readonly signal: AbortSignal;
}

/** By the `kind` of what the address guard rejects with. */
const byKind: Readonly<Record<string, ConnectorReason>> = {
  unreachable: 'address_unreachable',
  https_only: 'https_only',
  redirected: 'redirects_elsewhere',
  slow: 'too_slow',
};

/** What it means that a request, or the look-up of its host, came to nothing. */
export function unansweredBy(cause: unknown): StudioError {
  if (!(cause instanceof Error)) return sourceFailure('source_silent', { cause });
  const known = byKind[(cause as { readonly kind?: string }).kind ?? ''];
  return known === undefined
    ? sourceFailure('source_silent', { because: cause.message, cause })
    : sourceFailure(known, { cause });
}

/** From the first look-up to the last byte. */
const TIMEOUT_MS = 120_000;

/** Why a server gave nothing. Throws StudioError for all but what `fine` says. */
function check(status: number, fine: readonly number[]): void {
  if (fine.includes(status)) return;
  if (status === 401 || status === 403) throw sourceFailure('access_refused', { values: { status } });
  if (status === 404 || status === 410) throw sourceFailure('document_gone');
  throw sourceFailure('server_answered', { values: { status } });
}

/** Passes bytes on until they are too many. */
export async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
    yield part;
  }
}

/**
 * Asks, and gives the reply to `read`, which reads the body to its end, unpacked where it was packed for its way. Rejects with StudioError `forbidden`, `not_found`, `too_large`,
 * `unavailable`, or the signal's reason.
 */
export async function askWeb<T>(
  request: WebRequest,
  url: string,
  { method = 'GET', headers = {}, body, redirects = 'refuse', signal }: WebAsk,
  fine: readonly number[],
  read: (reply: WebReply) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const asked = { method, headers, redirects, timeoutMs: TIMEOUT_MS, signal, ...(body === undefined ? {} : { body }) };
  try {
    const reply = await request(url, asked);
    try {
      check(reply.status, fine);
      return await read({ ...reply, ...unpacked(reply) });
    } finally {
      await reply.close();
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof StudioError) throw cause;
    throw unansweredBy(cause);
  }
}

/** Statuses that send on to another address. */
export const redirected: readonly number[] = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 5;

/** The address that a reply sends on to; null where it names none. */
export function redirectOf({ status, headers }: WebReply, url: URL): URL | null {
  const location = headers.get('location');
  return redirected.includes(status) && location !== undefined && URL.canParse(location, url.href)
    ? new URL(location, url)
    : null;
}

/**
 * Asks as {@link askWeb}, and goes on where it is sent, up to five times, for as long as `mayFollow` says so: each address passes the guard
 * by itself. Rejects with `unavailable` where it is sent elsewhere.
 */
export async function askOn<T>(
  request: WebRequest,
  url: string,
  ask: WebAsk,
  mayFollow: (to: URL) => boolean,
  read: (reply: WebReply, url: URL) => Promise<T>,
): Promise<T> {
  let at = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const from = at;
    const step = await askWeb(
      request,
      from.href,
      { ...ask, redirects: 'give' },
      [200, ...redirected],
      async (reply) => {
        if (reply.status === 200) return { value: await read(reply, from) };
        return { to: redirectOf(reply, from) };
      },
    );
    if ('value' in step) return step.value;
    const { to } = step;
    if (to === null || !mayFollow(to)) throw sourceFailure('redirects_elsewhere');
    at = to;
  }
  throw sourceFailure('redirects_endlessly');
}

/** The bytes of a body. Rejects with StudioError `too_large`. */
export async function readAll(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bounded(body, maxBytes)) parts.push(part);
  return Buffer.concat(parts);
}

/** Writes a body to a new file. Resolves with its length. Rejects as {@link askWeb}. */
export async function toFile(
  body: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  const counted = async function* () {
    for await (const part of bounded(body, maxBytes)) {
      bytes += part.length;
      yield part;
    }
  };
  await pipeline(counted(), createWriteStream(path), { signal });
  return bytes;
}
