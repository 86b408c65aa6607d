import { createHash } from 'node:crypto';
import type { Report } from '../finding.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Decodes the 25 bytes of an address in base 58; null where it is too long. */
function decodeBase58(text: string): Buffer | null {
  let number = 0n;
  for (const char of text) number = number * 58n + BigInt(BASE58.indexOf(char));
  const hex = number.toString(16);
  return hex.length > 50 ? null : Buffer.from(hex.padStart(50, '0'), 'hex');
}

/** Version bytes of addresses: Bitcoin, Litecoin, Dogecoin, TRON, Dash. */
const versions = new Set([0x00, 0x05, 0x30, 0x32, 0x1e, 0x16, 0x41, 0x4c, 0x10]);

/** Whether the last four bytes are the checksum of the rest. Source: Bitcoin developer reference, Base58Check. */
function isBase58Check(text: string): boolean {
  const bytes = decodeBase58(text);
  if (!bytes || !versions.has(bytes[0] ?? -1)) return false;
  return sha256(sha256(bytes.subarray(0, 21)))
    .subarray(0, 4)
    .equals(bytes.subarray(21));
}

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Valid checksums: bech32, and bech32m of newer addresses. Source: BIP 173 and BIP 350. */
const validChecksums = new Set([1, 0x2bc830a3]);

function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  const separator = lower.lastIndexOf('1');
  const prefix = Array.from(lower.slice(0, separator), (char) => char.charCodeAt(0));
  const data = Array.from(lower.slice(separator + 1), (char) => CHARSET.indexOf(char));
  if (data.includes(-1)) return false;
  let sum = 1;
  for (const value of [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [at, generator] of GENERATORS.entries()) if ((top >> at) & 1) sum ^= generator;
  }
  return validChecksums.has(sum >>> 0);
}

const ADDRESS =
  /(?<![A-Za-z0-9_*])(?:([13LMDXT7A9][1-9A-HJ-NP-Za-km-z]{25,34})|((?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{11,71}|(?:BC1|TB1|LTC1)[02-9AC-HJ-NP-Z]{11,71})|0x[0-9A-Fa-f]{40})(?![A-Za-z0-9_*])/g;

/** Finds addresses of crypto currencies. */
export function findWallets(text: string, report: Report): void {
  for (const { index, 0: found, 1: base58, 2: segwit } of text.matchAll(ADDRESS)) {
    if (base58 !== undefined && !isBase58Check(base58)) continue;
    if (segwit !== undefined && !isBech32(segwit)) continue;
    report('CRYPTO_WALLET', index, index + found.length, (base58 ?? segwit) ? 0.98 : 0.85);
  }
}
