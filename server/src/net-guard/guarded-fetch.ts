import { lookup as lookupHost } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, request } from 'undici';
import { type Allowed, isReachable, readAllowed } from './addresses.ts';

/** Why something was not fetched, in words for whoever named the address. Tells nothing of the inside of the network. */
export class FetchRefused extends Error {}

export interface GuardedFetchOptions {
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number;
  /** Media types that are taken, such as `image/png`. */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly bytes: Buffer;
  /** Media type without parameters, lower case. */
  readonly type: string;
}

/** Fetches what a user named. Rejects with {@link FetchRefused}, or the signal's reason. */
export type GuardedFetch = (url: string, options: GuardedFetchOptions) => Promise<Fetched>;

export interface GuardOptions {
  /** Private hosts and networks that are open all the same. */
  readonly allow: readonly string[];
  /** All addresses of a host. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

const MOST_REDIRECTS = 3;
const UNREACHABLE = 'the address cannot be reached, or may not be';

const resolveHost = async (host: string): Promise<readonly string[]> =>
  (await lookupHost(host, { all: true })).map(({ address }) => address);

function parse(text: string, { hosts }: Allowed): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new FetchRefused('it is no address');
  const open = hosts.has(url.hostname);
  if (url.protocol !== 'https:' && !(open && url.protocol === 'http:'))
    throw new FetchRefused('only https addresses are fetched');
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

/** The address to connect to: resolved once, so that a name cannot mean another one a moment later. */
async function pin(url: URL, allowed: Allowed, lookup: (host: string) => Promise<readonly string[]>): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await lookup(host) : [host];
  } catch (cause) {
    throw new FetchRefused(UNREACHABLE, { cause });
  }
  const open = allowed.hosts.has(url.hostname);
  const [first] = addresses;
  if (first === undefined || !addresses.every((address) => open || isReachable(address, allowed)))
    throw new FetchRefused(UNREACHABLE);
  return first;
}

async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new FetchRefused(`it is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

type Step = { readonly fetched: Fetched } | { readonly redirect: string };

async function step(url: URL, address: string, options: GuardedFetchOptions, signal: AbortSignal): Promise<Step> {
  const version = isIP(address);
  const dispatcher = new Agent({
    connect: {
      lookup: (_host, { all }, done) => {
        // Both forms of the callback exist.
        if (all === true) done(null, [{ address, family: version }]);
        else (done as unknown as (error: null, address: string, family: number) => void)(null, address, version);
      },
    },
  });
  try {
    const answer = await request(url, { dispatcher, signal, headers: { accept: options.types.join(', ') } });
    const { statusCode, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && typeof headers['location'] === 'string') {
      await answer.body.dump();
      return { redirect: new URL(headers['location'], url).href };
    }
    if (statusCode !== 200) throw new FetchRefused(`its server answered ${statusCode}`);
    const type = (String(headers['content-type'] ?? '').split(';')[0] ?? '').trim().toLowerCase();
    if (!options.types.includes(type)) throw new FetchRefused(`it is no ${options.types.join(', ')}`);
    if (Number(headers['content-length'] ?? 0) > options.maxBytes)
      throw new FetchRefused(`it is larger than ${options.maxBytes} bytes`);
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
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        const url = parse(next, allowed);
        const done = await step(url, await unless(signal, () => pin(url, allowed, lookup)), options, signal);
        if ('fetched' in done) return done.fetched;
        next = done.redirect;
      }
      throw new FetchRefused('it leads from one address to the next');
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof FetchRefused) throw error;
      throw new FetchRefused(limit.aborted ? 'it took too long' : UNREACHABLE, { cause: error });
    }
  };
}
