import { toAllowList } from './addresses.ts';
import {
  FetchRefused,
  type GuardOptions,
  UNREACHABLE,
  parseAddress,
  resolveOnce,
  createPinnedAgent,
  resolveHost,
} from './pinned.ts';

export interface GuardedFetchOptions {
  /** Maximum size of the body in bytes. */
  readonly maxBytes: number;
  /** Time limit from the first look-up to the last byte. */
  readonly timeoutMs: number;
  /** Accepted media types, such as `image/png`; null accepts all. */
  readonly types: readonly string[] | null;
  readonly signal: AbortSignal;
}

export interface FetchResult {
  readonly bytes: Buffer;
  /** Media type without parameters, lower case. */
  readonly type: string;
}

/** Fetches an address that a user named. Rejects with {@link FetchRefused} or the signal's reason. */
export type GuardedFetch = (url: string, options: GuardedFetchOptions) => Promise<FetchResult>;

const MAX_REDIRECTS = 3;
/** Accept header for all types. */
const ANY_TYPE = '*/*';

const tooLarge = (maxBytes: number) => new FetchRefused(`it is larger than ${maxBytes} bytes`, { kind: 'too_large' });

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type FetchStep = { readonly fetched: FetchResult } | { readonly redirect: string };

async function fetchOnce(
  url: URL,
  address: string,
  options: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<FetchStep> {
  const dispatcher = await createPinnedAgent(address);
  try {
    const response = await (
      await import('undici')
    ).request(url, { dispatcher, signal, headers: { accept: options.types?.join(', ') ?? ANY_TYPE } });
    const { statusCode, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && typeof headers['location'] === 'string') {
      await response.body.dump();
      return { redirect: new URL(headers['location'], url).href };
    }
    if (statusCode !== 200)
      throw new FetchRefused(`its server answered ${statusCode}`, { kind: 'status', status: statusCode });
    const type = (String(headers['content-type'] ?? '').split(';')[0] ?? '').trim().toLowerCase();
    if (options.types?.includes(type) === false) throw new FetchRefused(`it is no ${options.types.join(', ')}`);
    if (Number(headers['content-length'] ?? 0) > options.maxBytes) throw tooLarge(options.maxBytes);
    return { fetched: { type, bytes: await readBounded(response.body, options.maxBytes) } };
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * Creates a fetch for addresses that users name, which does not reach into the operator's network: https only, public addresses
 * only, resolved once, checked again at each redirect, bounded in size and time. Throws RangeError for an entry of
 * `allow` that is none.
 */
export function createGuardedFetch({ allow, lookup = resolveHost }: GuardOptions): GuardedFetch {
  const allowed = toAllowList(allow);
  return async (text, options) => {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([options.signal, timeout]);
    try {
      let currentUrl = text;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        const url = parseAddress(currentUrl);
        const result = await fetchOnce(url, await resolveOnce(url, allowed(), lookup, signal), options, signal);
        if ('fetched' in result) return result.fetched;
        currentUrl = result.redirect;
      }
      throw new FetchRefused('it leads from one address to the next');
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof FetchRefused) throw error;
      throw timeout.aborted
        ? new FetchRefused('it took too long', { cause: error, kind: 'slow' })
        : new FetchRefused(UNREACHABLE, { cause: error, kind: 'unreachable' });
    }
  };
}
