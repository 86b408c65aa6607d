import { createHash } from 'node:crypto';
import type { Random } from '../random.ts';

// Values of the unseen set, made by their public rules and by nothing that the service has.

const two = (value: number) => String(value).padStart(2, '0');
const weighed = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);

function born(random: Random, from: number, to: number) {
  const year = from + random.int(to - from + 1);
  return { year, text: `${two(year % 100)}${two(1 + random.int(12))}${two(1 + random.int(28))}` };
}

const WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
/** Those that were given since October 2020 have no check digit. */
function resident(random: Random, foreign: boolean): string {
  const { year, text } = born(random, 1938, 2023);
  const century = (year < 2000 ? 1 : 3) + (foreign ? 4 : 0) + random.int(2);
  if (year >= 2020 || random.chance(0.4)) return `${text}${century}${random.digits(6)}`;
  const body = `${text}${century}${random.digits(5)}`;
  const check = (foreign ? 13 : 11) - (weighed(body, WEIGHTS) % 11);
  return body + (check % 10);
}
const apart = (digits: string, at: number, by: string) => digits.slice(0, at) + by + digits.slice(at);
const residentAs = (random: Random, foreign: boolean) =>
  apart(resident(random, foreign), 6, random.pick(['-', '-', '-', '-', '', ' - ', '–', '−']));

/** Digit at the end so that Luhn's sum is right. */
export function luhn(body: string): string {
  for (let last = 0; last < 10; last++) {
    const digits = body + last;
    let sum = 0;
    for (let at = 0; at < digits.length; at++) {
      const value = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
      sum += value > 9 ? value - 9 : value;
    }
    if (sum % 10 === 0) return digits;
  }
  throw new Error('unreachable');
}

function card(random: Random): string {
  const [start, length] = random.pick([
    ['4', 16],
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['2700', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['6500', 16],
    ['3528', 16],
    ['36', 14],
    ['9410', 16],
    ['6221', 16],
    ['4', 13],
  ] as const);
  const digits = luhn(start + random.digits(length - 1 - start.length));
  const groups = length === 15 ? [4, 6, 5] : length === 14 ? [4, 6, 4] : length === 13 ? [13] : [4, 4, 4, 4];
  const by = random.pick(['-', ' ', '', '-']);
  let at = 0;
  return groups.map((size) => digits.slice(at, (at += size))).join(by);
}

const areas = '02 031 032 033 041 042 043 044 051 052 053 054 055 061 062 063 064'.split(' ');
export function koreanPhone(random: Random): string {
  const by = random.pick(['-', '-', '-', ' ', '.', '']);
  const rest = () => random.digits(4);
  const mobile = `${2 + random.int(8)}${random.digits(3)}`;
  switch (random.int(11)) {
    case 0: {
      const area = random.pick(areas);
      const local = `${2 + random.int(8)}${random.digits(random.chance(0.5) ? 2 : 3)}`;
      const sep = by === '' ? '-' : by;
      return random.chance(0.3) ? `${area})${local}-${rest()}` : [area, local, rest()].join(sep);
    }
    case 1:
      return `(${random.pick(areas)}) ${2 + random.int(8)}${random.digits(2)}-${rest()}`;
    case 2:
      return ['070', mobile, rest()].join(by);
    case 3:
      return [`050${2 + random.int(7)}`, mobile, rest()].join(by === '' ? '-' : by);
    case 4:
      return `+82-10-${mobile}-${rest()}`;
    case 5:
      return `+82 10 ${mobile} ${rest()}`;
    case 6:
      return [random.pick(['011', '016', '017', '018', '019']), `${2 + random.int(7)}${random.digits(2)}`, rest()].join(
        '-',
      );
    default:
      return ['010', mobile, rest()].join(by);
  }
}
export const foreignPhone = (random: Random): string =>
  random.pick([
    () => `+1 (${2 + random.int(7)}${random.digits(2)}) ${2 + random.int(7)}${random.digits(2)}-${random.digits(4)}`,
    () => `+44 20 ${7 + random.int(2)}${random.digits(3)} ${random.digits(4)}`,
    () =>
      `(${2 + random.int(7)}${two(11 + random.int(80))}) ${2 + random.int(7)}${two(20 + random.int(70))}-${random.digits(4)}`,
    () => `+81-3-${3 + random.int(5)}${random.digits(3)}-${random.digits(4)}`,
    () => `+49 30 ${1 + random.int(8)}${random.digits(7)}`,
  ])();

const words =
  'blue.heron mintleaf roundtable k_winters dev-null ops seo.yeon hanbit77 paperboat contact info t.okafor billing r2d2fan soo_jin hr+apply j'.split(
    ' ',
  );
const hosts =
  'gmail.com naver.com daum.net hanmail.net kakao.com example.co.kr mail.go.kr snu.ac.kr outlook.com corp.example.org sub.domain.example.io korea.kr proton.me yahoo.co.jp'.split(
    ' ',
  );
export const mail = (random: Random): string =>
  `${random.pick(words)}${random.chance(0.5) ? random.int(9_999) : ''}@${random.pick(hosts)}`;

function business(random: Random): string {
  const body = `${100 + random.int(799)}${two(1 + random.int(98))}${random.digits(4)}`;
  const sum = weighed(body, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((Number(body[8]) * 5) / 10);
  const digits = body + ((10 - (sum % 10)) % 10);
  return random.chance(0.8) ? `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}` : digits;
}

function iban(random: Random): string {
  const [land, length] = random.pick([
    ['DE', 22],
    ['FR', 27],
    ['ES', 24],
    ['NL', 18],
    ['GB', 22],
  ] as const);
  const bban =
    land === 'NL' ? `ABNA${random.digits(10)}` : land === 'GB' ? `NWBK${random.digits(14)}` : random.digits(length - 4);
  const numbers = Array.from(`${bban}${land}00`, (char) => Number.parseInt(char, 36)).join('');
  const whole = `${land}${two(98 - Number(BigInt(numbers) % 97n))}${bban}`;
  return random.chance(0.5) ? whole : (whole.match(/.{1,4}/g) ?? []).join(' ');
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function bitcoin(random: Random): string {
  const payload = Buffer.from([0, ...Array.from({ length: 20 }, () => random.int(256))]);
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const all = Buffer.concat([payload, sha(sha(payload)).subarray(0, 4)]);
  let value = BigInt(`0x${all.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58.charAt(Number(value % 58n)) + text;
  for (const byte of all) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}
const hex = (random: Random, length: number) => Array.from({ length }, () => random.char('0123456789abcdef')).join('');
const token = (random: Random, length: number) =>
  Array.from({ length }, () => random.char('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')).join('');

/** A value of each type that a rule makes. */
export const makers = {
  RRN: (random: Random) => residentAs(random, false),
  FRR: (random: Random) => residentAs(random, true),
  DRIVER_LICENSE: (random: Random) =>
    `${random.pick(['11', '12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22', '23', '24', '25', '26', '28'])}-${random.digits(2)}-${random.digits(6)}-${random.digits(2)}`,
  PASSPORT: (random: Random) =>
    random.chance(0.5)
      ? `${random.char('MSRD')}${1 + random.int(9)}${random.digits(7)}`
      : `M${random.digits(3)}${random.char('ABCDEFGHKLMN')}${random.digits(4)}`,
  BANK_ACCOUNT: (random: Random) =>
    random.pick([
      () => `${100 + random.int(400)}-${random.digits(3)}-${random.digits(6)}`,
      () => `${1002 + random.int(3)}-${random.digits(3)}-${random.digits(6)}`,
      () => `${100_000 + random.int(899_999)}-${two(1 + random.int(90))}-${random.digits(6)}`,
      () =>
        `${random.pick(['301', '302', '312', '351', '352', '355', '356'])}-${random.digits(4)}-${random.digits(4)}-${random.digits(2)}`,
      () => `3333-${two(1 + random.int(30))}-${random.digits(7)}`,
      () => `${random.digits(3)}-${random.digits(6)}-${random.digits(5)}`,
      () => `9002-${random.digits(4)}-${random.digits(4)}-${random.char('0123456789')}`,
    ])(),
  CREDIT_CARD: card,
  PHONE: koreanPhone,
  EMAIL: mail,
  BUSINESS_NUMBER: business,
  CORPORATE_NUMBER: (random: Random) =>
    `${random.pick(['110111', '110114', '124411', '180111', '160111', '131111'])}-${random.digits(7)}`,
  HEALTH_INSURANCE: (random: Random) => `${random.pick(['1', '2', '5', '7', '8'])}-${random.digits(10)}`,
  VEHICLE_PLATE: (random: Random) =>
    `${random.chance(0.5) ? 10 + random.int(60) : 100 + random.int(600)}${random.char('가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주')}${random.chance(0.4) ? ' ' : ''}${1000 + random.int(9000)}`,
  IP: (random: Random) =>
    random.chance(0.7)
      ? `${random.pick([10, 172, 192, 203, 121, 58, 211])}.${random.int(255)}.${random.int(255)}.${1 + random.int(253)}`
      : `2001:db8:${hex(random, 4)}::${hex(random, 4)}:${hex(random, 3)}`,
  MAC: (random: Random) => Array.from({ length: 6 }, () => hex(random, 2)).join(random.pick([':', '-'])),
  IBAN: iban,
  SSN: (random: Random) =>
    `${1 + random.int(664) || 1}`.padStart(3, '0') + `-${two(1 + random.int(98))}-${1000 + random.int(8999)}`,
  IMEI: (random: Random) => luhn(`35${random.digits(12)}`),
  CRYPTO_WALLET: (random: Random) => (random.chance(0.5) ? bitcoin(random) : `0x${hex(random, 40)}`),
  SECRET: (random: Random) =>
    random.pick([
      () => `sk-${token(random, 40)}`,
      () => `ghp_${token(random, 36)}`,
      () => `AKIA${Array.from({ length: 16 }, () => random.char('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')).join('')}`,
      () => `xoxb-${random.digits(12)}-${random.digits(12)}-${token(random, 24)}`,
      () => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI${token(random, 20)}.${token(random, 43)}`,
      () => `AIza${token(random, 35)}`,
    ])(),
} as const;
