import { isIP } from 'node:net';
import { isForbiddenAddress } from './forbidden-addresses.ts';

/** Widest networks that are opened in the console, in bits of their prefix: a private network of class A, an allocation of IPv6. */
const LEAST_BITS = { 4: 8, 6: 32 } as const;
const MAX_NAME_LENGTH = 253;
/** A name of the domain name system, also of one label as inside a house. Source: RFC 1123 section 2.1. */
const NAME = /^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The same address as a URL writes it, so that it is compared with one. */
const written = (address: string) =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

/**
 * Whether an address begins with 32 zero bits as IPv6, or with 8 as IPv4: `::`, and what holds all of IPv4 (`::/96`, `::ffff:0:0/96`) with the
 * networks around it; "this network". None of them is a place of its own but `::1`, the machine itself.
 */
function isNoPlace(version: number, address: string): boolean {
  if (version === 4) return address.startsWith('0.');
  // As a URL writes it, the longest run of zeros is left out: two groups of zeros at the beginning are that run, or stand there.
  const text = written(address);
  return text.startsWith('::') ? !/^::[^:]+(:[^:]+){6}$/.test(text) : text.startsWith('0:0:');
}

/**
 * The form in which a host, an address or a network is opened in the console: lower case, as in a URL. Null for what is none, and for
 * what must stay closed: networks wider than {@link LEAST_BITS}, those that hold IPv4 within IPv6, the machine's own services.
 */
export function openableHost(given: string): string | null {
  const text = given
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0) return text.length <= MAX_NAME_LENGTH && NAME.test(text) ? text : null;
  if (isForbiddenAddress(address) || address.includes('%') || more.length > 0) return null;
  if (isNoPlace(version, address) && !(written(address) === '::1' && (bits === undefined || bits === '128')))
    return null;
  if (bits === undefined) return written(address);
  const count = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  const isWidth = count >= LEAST_BITS[version === 6 ? 6 : 4] && count <= (version === 6 ? 128 : 32);
  return isWidth ? `${written(address)}/${count}` : null;
}
