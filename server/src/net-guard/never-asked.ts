import { BlockList, isIP } from 'node:net';

// Addresses that no model server has: what stands there is the machine's own business, above all its cloud's metadata, which
// hands out credentials to whoever asks. Sources: RFC 3927, RFC 4291 section 2.5.6; the metadata services of AWS (IPv6),
// Alibaba Cloud, Azure and Oracle Cloud that are not link-local.
const NETWORKS = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
] as const;

const never = new BlockList();
for (const network of NETWORKS) {
  const [address = '', bits] = network.split('/');
  never.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const hostname = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hostname.split('::');
  const read = (text: string) => text.split(':').filter(Boolean);
  const [before, after] = [read(head), read(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].map((group) => Number.parseInt(group, 16));
}

const dotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * The IPv4 address that an IPv6 one stands for: mapped (`::ffff:…`), compatible (`::…`), translated by NAT64
 * (`64:ff9b::…`) or 6to4 (`2002:…`). Null for any other.
 */
function within(address: string): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, high = 0, low = 0] = groupsOf(address);
  if (a === 0x2002) return dotted(b, c);
  const nat64 = a === 0x64 && b === 0xff9b && c + d + e + f === 0;
  const mapped = a + b + c + d + e === 0 && (f === 0xffff || (f === 0 && high !== 0));
  return nat64 || mapped ? dotted(high, low) : null;
}

/** Whether nothing is ever sent to an address, though private networks are open: link-local, metadata of clouds, multicast. */
export function isForbiddenAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const version = isIP(plain);
  if (version === 4) return never.check(plain, 'ipv4');
  if (version !== 6) return false;
  const inner = within(plain);
  return never.check(plain, 'ipv6') || (inner !== null && never.check(inner, 'ipv4'));
}
