import { toAllowList } from './addresses.ts';
import { type GuardOptions, parseAddress, resolveHost, resolveOnce } from './pinned.ts';

/**
 * Resolves a host that a user named, for connections that are no requests. Resolves with the one address that may be connected to: a public
 * one, or one that the operator opened; without encryption only the latter. Rejects with `FetchRefused` or the signal's reason.
 */
export type GuardedResolve = (host: string, isEncrypted: boolean, signal: AbortSignal) => Promise<string>;

/** Creates a {@link GuardedResolve}. Throws RangeError for an entry of `allow` that is none. */
export function createGuardedResolve({ allow, lookup = resolveHost }: GuardOptions): GuardedResolve {
  const allowed = toAllowList(allow);
  return async (host, isEncrypted, signal) => {
    const name = host.includes(':') ? `[${host}]` : host;
    return resolveOnce(parseAddress(`${isEncrypted ? 'https' : 'http'}://${name}/`), allowed(), lookup, signal);
  };
}
