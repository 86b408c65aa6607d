import { isIP } from 'node:net';
import { isOpened, isReachable, openedByName, toAllowList } from './addresses.ts';
import { type GuardOptions, resolveHost } from './pinned.ts';

/**
 * Whether requests may go to an address: `public`, `opened` (by the operator, also for plain http), `closed` (forbidden, or no such
 * host), `unknown` where the look-up failed.
 */
export type AddressProbe = 'public' | 'opened' | 'closed' | 'unknown';

/** Resolves a host and checks its addresses, without sending a request. Never rejects. */
export type AddressCheck = (url: URL) => Promise<AddressProbe>;

/** Time limit of a look-up. */
const LOOKUP_MS = 3_000;
/** Whether a name does not exist or has no address. Source: Node.js, dns: error codes. */
const isUnknownHost = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes(String((error as { code?: unknown }).code));

async function lookupWithTimeout(lookup: (host: string) => Promise<readonly string[]>, host: string) {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(() => timeout.resolve(null), LOOKUP_MS).unref();
  try {
    return await Promise.race([lookup(host), timeout.promise]);
  } catch (error) {
    return isUnknownHost(error) ? [] : null;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Creates a check that warns people early of addresses that would be refused later. It is no guard: a name may resolve differently
 * by the time it is used, so every request checks again. Throws RangeError for an invalid entry of `allow`.
 */
export function createAddressCheck({ allow, lookup = resolveHost }: GuardOptions): AddressCheck {
  const currentList = toAllowList(allow);
  return async ({ hostname }) => {
    const allowed = currentList();
    if (openedByName(hostname, allowed) !== null) return 'opened';
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) === 0 ? await lookupWithTimeout(lookup, host) : [host];
    if (addresses === null) return 'unknown';
    if (addresses.length === 0 || !addresses.every((one) => isReachable(one, allowed))) return 'closed';
    return addresses.every((one) => isOpened(one, allowed)) ? 'opened' : 'public';
  };
}
