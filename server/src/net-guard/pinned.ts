import { lookup as lookupHost } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import { type Allowed, isOpened, isReachable } from './addresses.ts';

/** Why an address was not asked, in words for whoever named it. Tells nothing of the inside of the network. */
export class FetchRefused extends Error {
  /** For those who have words of their own. */
  readonly kind: RefusedKind;
  /** What its server answered, of kind `status`. */
  readonly status: number | null;

  constructor(
    message: string,
    {
      cause,
      kind = 'other',
      status = null,
    }: { readonly cause?: unknown; readonly kind?: RefusedKind; readonly status?: number | null } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = status;
  }
}
export type RefusedKind = 'unreachable' | 'https_only' | 'redirected' | 'slow' | 'status' | 'too_large' | 'other';

export interface GuardOptions {
  /** Private hosts and networks that are open all the same. */
  readonly allow: readonly string[];
  /** All addresses of a host. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export const UNREACHABLE = 'the address cannot be reached, or may not be';
const HTTPS_ONLY = 'only https addresses are fetched';

export const resolveHost = async (host: string): Promise<readonly string[]> =>
  (await lookupHost(host, { all: true })).map(({ address }) => address);

/** An address that may be looked up. Throws FetchRefused. */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new FetchRefused('it is no address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  if (url.username !== '' || url.password !== '') throw new FetchRefused('an address must not hold a password');
  return url;
}

/** Look-ups cannot be ended: nobody waits for one any longer once the signal has come. */
async function unless<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), over.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/**
 * The one address to connect to: resolved once, so that a name cannot mean another one a moment later. Plain http leads to what
 * was opened only. Throws FetchRefused, or the signal's reason.
 */
export async function pin(
  url: URL,
  allowed: Allowed,
  lookup: (host: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const named = allowed.hosts.has(url.hostname);
  const plain = url.protocol === 'http:';
  const mayBeOpened = named || isIP(host) === 0 || isOpened(host, allowed);
  if (plain && !mayBeOpened) throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await unless(signal, () => lookup(host)) : [host];
  } catch (cause) {
    signal.throwIfAborted();
    // What a name that leads nowhere would need first.
    if (plain && !named) throw new FetchRefused(HTTPS_ONLY, { cause, kind: 'https_only' });
    throw new FetchRefused(UNREACHABLE, { cause, kind: 'unreachable' });
  }
  const [first] = addresses;
  if (first === undefined) throw new FetchRefused(UNREACHABLE, { kind: 'unreachable' });
  if (named) return first;
  if (!addresses.every((address) => isReachable(address, allowed)))
    throw new FetchRefused(UNREACHABLE, { kind: 'unreachable' });
  if (plain && !addresses.every((address) => isOpened(address, allowed)))
    throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  return first;
}

/** Connections to that address and no other, whatever the host is called by then. Whoever made it destroys it. */
export async function pinnedAgent(address: string): Promise<Agent> {
  // Loaded by the first call: many services make none.
  const undici = await import('undici');
  const version = isIP(address);
  return new undici.Agent({
    connect: {
      lookup: (_host, { all }, done) => {
        // Both forms of the callback exist.
        if (all === true) done(null, [{ address, family: version }]);
        else (done as unknown as (error: null, address: string, family: number) => void)(null, address, version);
      },
    },
  });
}
