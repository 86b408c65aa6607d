import { isIP } from 'node:net';
import { isOpened, isReachable, readAllowed } from './addresses.ts';
import { type GuardOptions, resolveHost } from './pinned.ts';

/**
 * What a look at an address says: `public`, `opened` (by the operator, over plain http too), `closed` (nothing is sent there, or no such
 * host), `unknown` where nobody could say now.
 */
export type AddressProbe = 'public' | 'opened' | 'closed' | 'unknown';

/** Looks where an address leads, without asking it. Never rejects. */
export type AddressCheck = (url: URL) => Promise<AddressProbe>;

/** A look-up that takes longer says nothing. */
const LOOKUP_MS = 3_000;
/** A name that does not exist, or has no address. Source: Node.js, dns: error codes. */
const isNoHost = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes(String((error as { code?: unknown }).code));

async function addressesWithin(lookup: (host: string) => Promise<readonly string[]>, host: string) {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), LOOKUP_MS).unref();
  try {
    return await Promise.race([lookup(host), late.promise]);
  } catch (error) {
    return isNoHost(error) ? [] : null;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tells people at once of addresses that would be refused later. It is no guard: a name may lead elsewhere by the time it is used, so who
 * uses it looks again. Throws RangeError for an entry of `allow` that is none.
 */
export function createAddressCheck({ allow, lookup = resolveHost }: GuardOptions): AddressCheck {
  const allowed = readAllowed(allow);
  return async ({ hostname }) => {
    if (allowed.hosts.has(hostname)) return 'opened';
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) === 0 ? await addressesWithin(lookup, host) : [host];
    if (addresses === null) return 'unknown';
    if (addresses.length === 0 || !addresses.every((one) => isReachable(one, allowed))) return 'closed';
    return addresses.every((one) => isOpened(one, allowed)) ? 'opened' : 'public';
  };
}
