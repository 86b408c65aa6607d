import { lookup as lookupHost } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import { raceAbort } from '../kernel/race-abort.ts';
import { type Allowed, type AllowList, isOpened, isReachable, openedByName } from './addresses.ts';
import { isForbiddenAddress } from './forbidden-addresses.ts';

/** A request was refused or failed. The message is for the person who named the address, and reveals nothing of the internal network. */
export class FetchRefused extends Error {
  /** For surfaces with texts of their own. */
  readonly kind: RefusedKind;
  /** Status of the server's reply, for kind `status`. */
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
  /** Private hosts and networks that the operator opened. */
  readonly allow: Allowed;
  /** Resolves with all addresses of a host. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export const UNREACHABLE = 'the address cannot be reached, or may not be';
const HTTPS_ONLY = 'only https addresses are fetched';

export const resolveHost = async (host: string): Promise<readonly string[]> =>
  (await lookupHost(host, { all: true })).map(({ address }) => address);

/** Parses an address that may be resolved. Throws FetchRefused. */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new FetchRefused('it is no address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  if (url.username !== '' || url.password !== '') throw new FetchRefused('an address must not hold a password');
  return url;
}

/**
 * Resolves the address to connect to, only once, so that the name cannot resolve differently a moment later. Plain http is allowed for
 * opened hosts and networks only. Throws FetchRefused or the signal's reason.
 */
export async function resolveOnce(
  url: URL,
  allowed: AllowList,
  lookup: (host: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const opened = openedByName(url.hostname, allowed);
  const isHostOpened = opened !== null;
  const isPlainHttp = url.protocol === 'http:';
  const mayBeOpened = isHostOpened || isIP(host) === 0 || isOpened(host, allowed);
  if (isPlainHttp && !mayBeOpened) throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await raceAbort(signal, () => lookup(host)) : [host];
  } catch (cause) {
    signal.throwIfAborted();
    // Plain http to an unknown host would be refused in any case.
    if (isPlainHttp && !isHostOpened) throw new FetchRefused(HTTPS_ONLY, { cause, kind: 'https_only' });
    throw new FetchRefused(UNREACHABLE, { cause, kind: 'unreachable' });
  }
  const [firstAddress] = addresses;
  if (firstAddress === undefined) throw new FetchRefused(UNREACHABLE, { kind: 'unreachable' });
  if (opened === 'not_forbidden' && addresses.some(isForbiddenAddress))
    throw new FetchRefused(UNREACHABLE, { kind: 'unreachable' });
  if (isHostOpened) return firstAddress;
  if (!addresses.every((address) => isReachable(address, allowed)))
    throw new FetchRefused(UNREACHABLE, { kind: 'unreachable' });
  if (isPlainHttp && !addresses.every((address) => isOpened(address, allowed)))
    throw new FetchRefused(HTTPS_ONLY, { kind: 'https_only' });
  return firstAddress;
}

/** Creates an agent that connects to this address only, however the host resolves later. The caller destroys it. */
export async function createPinnedAgent(address: string): Promise<Agent> {
  // Loaded with the first call, as many services make none.
  const undici = await import('undici');
  const version = isIP(address);
  return new undici.Agent({
    connect: {
      lookup: (_host, { all }, callback) => {
        // Both forms of the callback exist.
        if (all === true) callback(null, [{ address, family: version }]);
        else (callback as unknown as (error: null, address: string, family: number) => void)(null, address, version);
      },
    },
  });
}
