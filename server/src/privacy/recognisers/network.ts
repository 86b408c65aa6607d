import { isIPv4, isIPv6 } from 'node:net';
import { contextWords, thingWords } from '../context.ts';
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
/** Two marks at least, and no more than an address has. */
const V6 =
  /(?<![0-9A-Za-z_.*]|::|\b[0-9A-Fa-f]{1,4}:)(?=[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{0,6}:|::)[0-9A-Fa-f:]{3,39}(?:(?<=:)[0-9]{1,3}(?:\.[0-9]{1,3}){3})?(?![0-9A-Za-z_:*])/g;

/** Units between a word and what it means. */
const CLOSE = 12;

function scoreV4(text: string, found: string, index: number): number {
  if (!isIPv4(found) || found === '0.0.0.0' || !beginsAt(text, index)) return 0;
  const end = index + found.length;
  const near = words.near(text, index, end);
  const version = versionWords.near(text, index, end) ?? (thingWords.near(text, index, end) === null ? null : 1);
  // Sections and versions have small numbers; a word must stand close to tell them apart.
  const large = found.split('.').filter((part) => Number(part) > 31).length;
  if (near !== null && (large > 0 || near <= CLOSE) && (version === null || near <= version)) return 0.95;
  if (version !== null) return large >= 3 ? 0.5 : 0.3;
  return large >= 1 || /^(?:10|127)\./.test(found) ? 0.75 : 0.4;
}

/** Addresses of the internet. Source: RFC 4291, section 2.2. */
export function findAddresses(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(V4)) {
    const score = scoreV4(text, found, index);
    if (score > 0) report('IP', index, index + found.length, score);
  }
  for (const { index, 0: run } of text.matchAll(V6)) {
    // A colon behind it is of the sentence.
    const found = run.replace(/(?<!:):$/, '');
    const parts = found.split(':').filter((part) => part !== '').length;
    if (!isIPv6(found) || parts === 0) continue;
    const near = words.near(text, index, index + found.length) !== null;
    if (parts < 3 && !near) continue;
    report('IP', index, index + found.length, near ? 0.98 : 0.85);
  }
}

const MAC =
  /(?<![0-9A-Za-z_*]|\b[0-9A-Fa-f]{2}[:-])(?:[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![0-9A-Za-z_:*-])/g;
/** Broadcast, and none. */
const EVERYBODY = /^(?:[fF.:-]+|[0.:-]+)$/;
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

/** Addresses of network cards. Source: IEEE 802. */
export function findMacs(text: string, report: Report): void {
  for (const { index, 0: found, 1: mark } of text.matchAll(MAC)) {
    if (EVERYBODY.test(found)) continue;
    const end = index + found.length;
    const near = macWords.near(text, index, end) !== null;
    const letters = /[A-Fa-f]/.test(found);
    if (near) report('MAC', index, end, 0.98);
    else if (letters) report('MAC', index, end, mark === undefined ? 0.6 : 0.9);
    else report('MAC', index, end, mark === ':' ? 0.6 : 0.3);
  }
}
