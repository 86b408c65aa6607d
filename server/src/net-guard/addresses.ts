import { BlockList, isIP } from 'node:net';
import { isForbiddenAddress } from './forbidden-addresses.ts';

// Addresses to which a service may send requests that a user named. Sources: IANA special-purpose address registries for
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

/** Special ranges within the global range: protocol assignments, documentation, 6to4. */
const privateV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;
const GLOBAL_V6 = '2000::/3';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Adds a network such as `address/bits`, or an address. Throws RangeError where it is neither. */
function addTo(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  if (isIP(address) === 0) throw new RangeError(`${network} is no network`);
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(bits), familyOf(address));
}

function createBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addTo(list, network);
  return list;
}

const forbiddenNetworks = createBlockList([...privateV4, ...privateV6]);
const globalV6Network = createBlockList([GLOBAL_V6]);

/** Returns the IPv4 address of a mapped IPv6 address (`::ffff:10.0.0.1`, also in hexadecimal), else the address itself. */
function unmapIpv4(address: string): string {
  const withoutZone = address.replace(/%.*$/, '').toLowerCase();
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(withoutZone)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(withoutZone);
  if (!hex) return withoutZone;
  const [high, low] = [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Networks, each family for itself: a BlockList compares an address of IPv4 with networks of IPv6 too, so that `::/32` would hold them all. */
type Networks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;

/** Hosts and networks, as entries name them. */
interface OpenedHosts {
  readonly hosts: ReadonlySet<string>;
  readonly networks: Networks;
}

/** A network of mapped addresses (`::ffff:10.0.0.0/104`) as one of IPv4, any other as it is. */
function unmapNetwork(network: string): string {
  const [address = '', bits] = network.split('/');
  const unmapped = unmapIpv4(address);
  if (isIP(address) !== 6 || isIP(unmapped) !== 4) return network;
  if (bits === undefined) return unmapped;
  return Number(bits) >= 96 ? `${unmapped}/${Number(bits) - 96}` : network;
}

function createNetworks(entries: readonly string[]): Networks {
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of entries.map(unmapNetwork)) addTo(networks[familyOf(network.split('/')[0] ?? '')], network);
  return networks;
}

/** Private hosts and networks that the operator opened in the configuration, which may be any. */
export interface AllowList extends OpenedHosts {
  /** Those opened in the console. They never lead to the machine's own services, such as the metadata of its cloud. */
  readonly added?: OpenedHosts;
}

/** Reads entries such as `files.example.kr`, `10.1.2.3` and `10.0.0.0/8`. Throws RangeError. */
export function parseAllowList(entries: readonly string[]): OpenedHosts {
  const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  return {
    hosts: new Set(entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase())),
    networks: createNetworks(entries.filter(isNetwork)),
  };
}

/** What is open: entries that stay, or a list that changes while the service runs. */
export type Allowed = readonly string[] | (() => AllowList);

/** Returns what tells the list as it is now. Throws RangeError for an entry that is none. */
export function toAllowList(allow: Allowed): () => AllowList {
  if (typeof allow === 'function') return allow;
  const list = parseAllowList(allow);
  return () => list;
}

/** Whether a host was opened by its name: whatever its addresses, or those that are not forbidden. */
export function openedByName(host: string, { hosts, added }: AllowList): 'all' | 'not_forbidden' | null {
  if (hosts.has(host)) return 'all';
  return added?.hosts.has(host) === true ? 'not_forbidden' : null;
}

/** Whether an address belongs to a network that the operator opened. */
export function isOpened(address: string, { networks, added }: AllowList): boolean {
  const unmapped = unmapIpv4(address);
  if (isIP(unmapped) === 0) return false;
  const family = familyOf(unmapped);
  return (
    networks[family].check(unmapped, family) ||
    (added?.networks[family].check(unmapped, family) === true && !isForbiddenAddress(unmapped))
  );
}

/** Whether an address is public, or was opened by the operator. */
export function isReachable(address: string, allowed: AllowList): boolean {
  const unmapped = unmapIpv4(address);
  const version = isIP(unmapped);
  if (version === 0) return false;
  if (isOpened(unmapped, allowed)) return true;
  if (forbiddenNetworks.check(unmapped, familyOf(unmapped))) return false;
  return version === 4 || globalV6Network.check(unmapped, 'ipv6');
}
