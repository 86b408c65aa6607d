import { readAllowed } from './addresses.ts';
import { FetchRefused, type GuardOptions, UNREACHABLE, parseAddress, pin, pinnedAgent, resolveHost } from './pinned.ts';

export interface GuardedFetchOptions {
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number;
  /** Media types that are taken, such as `image/png`; null takes all. */
  readonly types: readonly string[] | null;
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly bytes: Buffer;
  /** Media type without parameters, lower case. */
  readonly type: string;
}

/** Fetches what a user named. Rejects with {@link FetchRefused}, or the signal's reason. */
export type GuardedFetch = (url: string, options: GuardedFetchOptions) => Promise<Fetched>;

const MAX_REDIRECTS = 3;
/** Accept of what takes every type. */
const ALL = '*/*';

const tooLarge = (maxBytes: number) => new FetchRefused(`it is larger than ${maxBytes} bytes`, { kind: 'too_large' });

async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type Step = { readonly fetched: Fetched } | { readonly redirect: string };

async function step(url: URL, address: string, options: GuardedFetchOptions, signal: AbortSignal): Promise<Step> {
  const dispatcher = await pinnedAgent(address);
  try {
    const answer = await (
      await import('undici')
    ).request(url, { dispatcher, signal, headers: { accept: options.types?.join(', ') ?? ALL } });
    const { statusCode, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && typeof headers['location'] === 'string') {
      await answer.body.dump();
      return { redirect: new URL(headers['location'], url).href };
    }
    if (statusCode !== 200)
      throw new FetchRefused(`its server answered ${statusCode}`, { kind: 'status', status: statusCode });
    const type = (String(headers['content-type'] ?? '').split(';')[0] ?? '').trim().toLowerCase();
    if (options.types?.includes(type) === false) throw new FetchRefused(`it is no ${options.types.join(', ')}`);
    if (Number(headers['content-length'] ?? 0) > options.maxBytes) throw tooLarge(options.maxBytes);
    return { fetched: { type, bytes: await readUpTo(answer.body, options.maxBytes) } };
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * Fetches addresses that users name without letting them reach into the operator's network: https only, public addresses
 * only, resolved once, checked again at each redirect, bounded in size and time. Throws RangeError for an entry of
 * `allow` that is none.
 */
export function createGuardedFetch({ allow, lookup = resolveHost }: GuardOptions): GuardedFetch {
  const allowed = readAllowed(allow);
  return async (text, options) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([options.signal, limit]);
    try {
      let next = text;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const url = parseAddress(next);
        const done = await step(url, await pin(url, allowed, lookup, signal), options, signal);
        if ('fetched' in done) return done.fetched;
        next = done.redirect;
      }
      throw new FetchRefused('it leads from one address to the next');
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof FetchRefused) throw error;
      throw limit.aborted
        ? new FetchRefused('it took too long', { cause: error, kind: 'slow' })
        : new FetchRefused(UNREACHABLE, { cause: error, kind: 'unreachable' });
    }
  };
}
