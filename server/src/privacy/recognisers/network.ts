import { isIPv4, isIPv6 } from 'node:net';
import { contextWords, objectWords } from '../context.ts';
import type { Report } from '../finding.ts';
import { beginsAt } from '../numbers.ts';

const words = contextWords([
  '아이피',
  '서버',
  '접속',
  '로그인',
  '호스트',
  '게이트웨이',
  '방화벽',
  '대역',
  '네트워크',
  '단말',
  '장비',
  '라우터',
  'ip',
  'ipv4',
  'ipv6',
  'host',
  'server',
  'gateway',
  'address',
  'subnet',
  'dns',
  'ping',
  'login',
  'client',
  'addr',
  'from',
  'http',
  'https',
  'url',
]);
const versionWords = contextWords([
  '버전',
  '절',
  '항',
  '조',
  '장',
  '목차',
  '섹션',
  'version',
  'ver',
  'section',
  'clause',
  'release',
  'v',
  'firmware',
]);

const V4 = /(?<![0-9A-Za-z_*])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9A-Za-z_*]|\.[0-9])/g;
/** At least two colons, and at most as many as an address has. */
const V6 =
  /(?<![0-9A-Za-z_.*]|::|\b[0-9A-Fa-f]{1,4}:)(?=[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{0,6}:|::)[0-9A-Fa-f:]{3,39}(?:(?<=:)[0-9]{1,3}(?:\.[0-9]{1,3}){3})?(?![0-9A-Za-z_:*])/g;

/** Largest distance of a context word that tells an address from a version. */
const CLOSE_DISTANCE = 12;

function scoreV4(text: string, found: string, index: number): number {
  if (!isIPv4(found) || found === '0.0.0.0' || !beginsAt(text, index)) return 0;
  const end = index + found.length;
  const distance = words.distanceTo(text, index, end);
  const versionDistance =
    versionWords.distanceTo(text, index, end) ?? (objectWords.distanceTo(text, index, end) === null ? null : 1);
  // Sections and versions have small numbers; a word must stand close to tell them apart.
  const largeParts = found.split('.').filter((part) => Number(part) > 31).length;
  if (
    distance !== null &&
    (largeParts > 0 || distance <= CLOSE_DISTANCE) &&
    (versionDistance === null || distance <= versionDistance)
  )
    return 0.95;
  if (versionDistance !== null) return largeParts >= 3 ? 0.5 : 0.3;
  return largeParts >= 1 || /^(?:10|127)\./.test(found) ? 0.75 : 0.4;
}

/** Finds IP addresses. Source: RFC 4291, section 2.2. */
export function findAddresses(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(V4)) {
    const score = scoreV4(text, found, index);
    if (score > 0) report('IP', index, index + found.length, score);
  }
  for (const { index, 0: match } of text.matchAll(V6)) {
    // A colon after it belongs to the sentence.
    const found = match.replace(/(?<!:):$/, '');
    const parts = found.split(':').filter((part) => part !== '').length;
    if (!isIPv6(found) || parts === 0) continue;
    const distance = words.distanceTo(text, index, index + found.length) !== null;
    if (parts < 3 && !distance) continue;
    report('IP', index, index + found.length, distance ? 0.98 : 0.85);
  }
}

const MAC =
  /(?<![0-9A-Za-z_*]|\b[0-9A-Fa-f]{2}[:-])(?:[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![0-9A-Za-z_:*-])/g;
/** The broadcast address and the zero address. */
const NO_DEVICE = /^(?:[fF.:-]+|[0.:-]+)$/;
const macWords = contextWords([
  '맥',
  '맥주소',
  '물리적 주소',
  '무선랜',
  '랜카드',
  'mac',
  'hardware address',
  'bssid',
  'ethernet',
  'nic',
  'physical address',
]);

/** Finds addresses of network cards. Source: IEEE 802. */
export function findMacs(text: string, report: Report): void {
  for (const { index, 0: found, 1: separator } of text.matchAll(MAC)) {
    if (NO_DEVICE.test(found)) continue;
    const end = index + found.length;
    const distance = macWords.distanceTo(text, index, end) !== null;
    const hasLetters = /[A-Fa-f]/.test(found);
    if (distance) report('MAC', index, end, 0.98);
    else if (hasLetters) report('MAC', index, end, separator === undefined ? 0.6 : 0.9);
    else report('MAC', index, end, separator === ':' ? 0.6 : 0.3);
  }
}
