import { BlockList, isIP } from 'node:net';

// Addresses that no model server has: link-local services of the machine, above all the metadata of its cloud, which hands out
// credentials to any caller. Sources: RFC 3927, RFC 4291 section 2.5.6; the metadata services of AWS (IPv6), Alibaba Cloud, Azure
// and Oracle Cloud that are not link-local.
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

const forbidden = new BlockList();
for (const network of NETWORKS) {
  const [address = '', bits] = network.split('/');
  forbidden.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const hostname = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hostname.split('::');
  const splitGroups = (text: string) => text.split(':').filter(Boolean);
  const [headGroups, tailGroups] = [splitGroups(head), splitGroups(tail ?? '')];
  const zeroCount = tail === undefined ? 0 : 8 - headGroups.length - tailGroups.length;
  return [...headGroups, ...Array.from({ length: zeroCount }, () => '0'), ...tailGroups].map((group) =>
    Number.parseInt(group, 16),
  );
}

const toDotted = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * Returns the IPv4 address embedded in an IPv6 address: mapped (`::ffff:…`), compatible (`::…`), translated by NAT64
 * (`64:ff9b::…`) or 6to4 (`2002:…`). Null for any other.
 */
function embeddedIpv4(address: string): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, high = 0, low = 0] = groupsOf(address);
  if (a === 0x2002) return toDotted(b, c);
  const isNat64 = a === 0x64 && b === 0xff9b && c + d + e + f === 0;
  const isMapped = a + b + c + d + e === 0 && (f === 0xffff || (f === 0 && high !== 0));
  return isNat64 || isMapped ? toDotted(high, low) : null;
}

/** Whether an address is forbidden even where private networks are open: link-local, cloud metadata, multicast. */
export function isForbiddenAddress(address: string): boolean {
  const withoutZone = address.replace(/%.*$/, '');
  const version = isIP(withoutZone);
  if (version === 4) return forbidden.check(withoutZone, 'ipv4');
  if (version !== 6) return false;
  const embedded = embeddedIpv4(withoutZone);
  return forbidden.check(withoutZone, 'ipv6') || (embedded !== null && forbidden.check(embedded, 'ipv4'));
}
