import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../kernel/errors.ts';

/** A reply whose body has not been read. Must be closed. */
interface WebReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Asks an address that a user named, behind the address guard; follows no redirects. Rejects with an error whose message may be shown, or
 * with the signal's reason.
 */
export type WebRequest = (
  url: string,
  options: {
    readonly method: 'GET' | 'PROPFIND';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
) => Promise<WebReply>;

export interface WebAsk {
  readonly method?: 'GET' | 'PROPFIND';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** From the first look-up to the last byte. */
const TIMEOUT_MS = 120_000;

/** Why a server gave nothing. Throws StudioError for all but what `fine` says. */
function check(status: number, fine: readonly number[]): void {
  if (fine.includes(status)) return;
  if (status === 401 || status === 403)
    throw new StudioError('forbidden', `The server refuses access (${status}); check the secrets of the connector`);
  if (status === 404 || status === 410)
    throw new StudioError('not_found', `The server has no such document (${status})`);
  throw new StudioError('unavailable', `The server answered ${status}`);
}

/** Passes bytes on until they are too many. */
export async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > maxBytes) throw new StudioError('too_large', `It is larger than ${maxBytes} bytes`);
    yield part;
  }
}

/**
 * Asks, and gives the reply to `read`, which reads the body to its end. Rejects with StudioError `forbidden`, `not_found`, `too_large`,
 * `unavailable`, or the signal's reason.
 */
export async function askWeb<T>(
  request: WebRequest,
  url: string,
  { method = 'GET', headers = {}, body, signal }: WebAsk,
  fine: readonly number[],
  read: (reply: WebReply) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const asked = { method, headers, timeoutMs: TIMEOUT_MS, signal, ...(body === undefined ? {} : { body }) };
  try {
    const reply = await request(url, asked);
    try {
      check(reply.status, fine);
      return await read(reply);
    } finally {
      await reply.close();
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof StudioError) throw cause;
    const why = cause instanceof Error ? cause.message : 'no reason is known';
    throw new StudioError('unavailable', `The source does not answer: ${why}`, { cause });
  }
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
