import { BlockList, isIP } from 'node:net';

// Which addresses a service may be sent to by what a user wrote. Sources: IANA special-purpose address registries for
// IPv4 (RFC 6890 and later) and IPv6.

const privateV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** Within the global range, what leads elsewhere: protocol assignments, documentation, 6to4. */
const privateV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;
const GLOBAL_V6 = '2000::/3';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Throws RangeError for what is no `address/bits` and no address. */
function addTo(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  if (isIP(address) === 0) throw new RangeError(`${network} is no network`);
  if (bits === undefined) list.addAddress(address, family(address));
  else list.addSubnet(address, Number(bits), family(address));
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addTo(list, network);
  return list;
}

const forbidden = listOf([...privateV4, ...privateV6]);
const globalV6 = listOf([GLOBAL_V6]);

/** The IPv4 address within an IPv6 one (`::ffff:10.0.0.1`, also written in hexadecimal), else the address. */
function unmapped(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(bare);
  if (!hex) return bare;
  const [high, low] = [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Hosts and networks that an operator opened although they are private. */
export interface Allowed {
  readonly hosts: ReadonlySet<string>;
  readonly networks: BlockList;
}

/** Reads entries such as `files.example.kr`, `10.1.2.3` and `10.0.0.0/8`. Throws RangeError. */
export function readAllowed(entries: readonly string[]): Allowed {
  const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  return {
    hosts: new Set(entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase())),
    networks: listOf(entries.filter(isNetwork)),
  };
}

/** Whether an address is of a network that was opened. */
export function isOpened(address: string, { networks }: Pick<Allowed, 'networks'>): boolean {
  const plain = unmapped(address);
  return isIP(plain) !== 0 && networks.check(plain, family(plain));
}

/** Whether an address is one of the public internet, or was opened. */
export function isReachable(address: string, allowed: Pick<Allowed, 'networks'>): boolean {
  const plain = unmapped(address);
  const version = isIP(plain);
  if (version === 0) return false;
  if (isOpened(plain, allowed)) return true;
  if (forbidden.check(plain, family(plain))) return false;
  return version === 4 || globalV6.check(plain, 'ipv6');
}
