import { expect, test } from 'vitest';
import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import { createRandom, type Random } from '../../../bench/privacy/random.ts';
import { times } from '../../test/support/long.ts';
import { mutate, texts } from '../../test/support/changed-texts.ts';
import { bytePlaces } from './byte-places/index.ts';
import { type FindPolicy, findPii } from './find.ts';
import type { Finding } from './finding.ts';
import { findWindows, isFoundInWindows, mayGoOn } from './windows.ts';

// A value that stands outside of all windows would reach the model. So what is found in the windows of long texts is compared with
// what is found in the whole of them.

const numberTypes: readonly PiiType[] = [
  'RRN',
  'FRR',
  'DRIVER_LICENSE',
  'PASSPORT',
  'BANK_ACCOUNT',
  'CREDIT_CARD',
  'PHONE',
  'BUSINESS_NUMBER',
  'CORPORATE_NUMBER',
  'HEALTH_INSURANCE',
  'SSN',
  'IMEI',
];
const policies: readonly FindPolicy[] = [{}, { types: numberTypes, threshold: 0 }, { types: numberTypes }];

const inside = (text: string) => Buffer.from(JSON.stringify(text).slice(1, -1));
const decoded = (bytes: Buffer) => JSON.parse(`"${bytes.toString('utf8')}"`) as string;

/** Findings of a text behind another, with offsets of the text. */
const shifted = (found: readonly Finding[], by: number): Finding[] =>
  found.flatMap((one) => (one.end <= -by ? [] : [{ ...one, start: Math.max(0, one.start + by), end: one.end + by }]));

/** Whether a number may begin at the end of what stands before a text, but for the line's end between them. */
const goesOn = (before: string): boolean => {
  const bytes = inside(before.replace(/\n$/, ''));
  return mayGoOn(bytes, 0, bytes.length);
};

function foundInWindows(text: string, before: string, policy: FindPolicy): Finding[] | null {
  const bytes = inside(text);
  const windows = findWindows(bytes, 0, bytes.length, goesOn(before));
  return (
    windows?.flatMap(({ start, end }) => {
      const own = start === 0 ? before : '';
      const found = findPii(own + decoded(bytes.subarray(start, end)), policy);
      const at = decoded(bytes.subarray(0, start)).length;
      return start === 0 ? shifted(found, -own.length) : shifted(found, at);
    }) ?? null
  );
}

const filler = [
  '오늘 회의에서 예산과 일정을 검토했고 ',
  'the report of 2026 was sent to them, ',
  '제3조 2항에 따라, ',
  '\n',
  'a "word" ',
];

const words = ['계좌', '여권', 'passport', 'account', '주문', '법인', '등기부 등록번호', '카드', '전화', 'imei'];
const numbers = [
  '110-123-456789',
  '900101-1234567',
  'M12345678',
  'M123A4567',
  '4111 1111 1111 1111',
  '010-1234-5678',
  '354 1234 5678 90',
];

/** A number, and words at some distance that may say what it is. */
function numberBeside(random: Random): string {
  const distance = (most: number) => random.pick(filler).repeat(4).slice(0, random.int(most));
  return `${random.pick(words)}${distance(50)}${random.pick(numbers)}${distance(24)}${random.pick(words)} `;
}

/** A long text: values, each somewhere in ordinary words. */
function longText(random: Random): string {
  let text = '';
  for (let part = 1 + random.int(4); part > 0; part--) {
    for (let words = random.int(40); words > 0; words--) text += random.pick(filler);
    text += random.chance(0.5) ? numberBeside(random) : mutate(random.pick(texts), random);
  }
  for (let words = random.int(20); words > 0; words--) text += random.pick(filler);
  return text;
}

test('what is found in the windows of a text is what is found in the whole', () => {
  const random = createRandom(5);
  let [windowed, values, left] = [0, 0, 0];
  for (let round = times(6_000, 200_000); round > 0; round--) {
    const text = longText(random);
    const before = random.chance(0.3) ? `${mutate(random.pick(texts), random).slice(-40)}\n` : '';
    const policy = random.pick(policies);
    const found = foundInWindows(text, before, policy);
    if (found === null) continue;
    windowed++;
    const expected = shifted(findPii(before + text, policy), -before.length);
    expect(found, JSON.stringify([before, text])).toEqual(expected);
    values += expected.length;
    const bytes = inside(text);
    const windows = findWindows(bytes, 0, bytes.length, goesOn(before));
    expect(findWindows(bytes, 0, bytes.length, goesOn(before), null), 'without vectors').toEqual(windows);
    const covered = windows?.reduce((sum, { start, end }) => sum + end - start, 0);
    if ((covered ?? 0) < bytes.length / 2) left++;
  }
  // Most are looked at in windows, and of many of those the most is not looked at.
  expect(windowed).toBeGreaterThan(times(6_000, 200_000) / 2);
  expect(values).toBeGreaterThan(windowed / 2);
  expect(left).toBeGreaterThan(windowed / 10);
});

const far = '이 문장에는 숫자가 하나도 없습니다. '.repeat(30);
const windowsOf = (text: string, before = '') => {
  const bytes = inside(text);
  return findWindows(bytes, 0, bytes.length, goesOn(before))?.map(({ start, end }) =>
    decoded(bytes.subarray(start, end)),
  );
};

test('windows stand around enough digits, and are cut at spaces', () => {
  expect(windowsOf(far)).toEqual([]);
  expect(windowsOf(`${far}2026년 제3조 12명${far}`)).toEqual([]);
  expect(windowsOf(`${far}960121-1234567 ${far}`)).toEqual([
    expect.stringMatching(/^[^0-9]{40,100} 960121-1234567 [^0-9]{30,100}$/) as string,
  ]);
  expect(windowsOf(`${far}여권 A1BCDEFGH ${far}`)).toHaveLength(1);
  expect(windowsOf(`${far}010-1234-5678 ${far}010-1234-5678 ${far}`)).toHaveLength(2);
  // A number that begins before the text goes on in it.
  for (const before of ['주민번호 960121-1234', '전화 ０１０-１２３４-', `960121-1${'\u200B'.repeat(12)}`])
    expect(windowsOf(`567 ${far}`, before)).toHaveLength(1);
  expect(windowsOf(`567 ${far}`)).toEqual([]);
});

test('windows are the same where a number stands across the blocks in which a long text is scanned', () => {
  const block = bytePlaces()?.blockBytes ?? 0;
  expect(block).toBeGreaterThan(0);
  for (let before = block - 20; before <= block + 2; before++) {
    const bytes = Buffer.from(
      `${'x '.repeat(before / 2)}${before % 2 ? 'x' : ''}960121-1234567 ${'가 '.repeat(block)}`,
    );
    const windows = findWindows(bytes, 0, bytes.length);
    expect(windows).toHaveLength(1);
    expect(windows).toEqual(findWindows(bytes, 0, bytes.length, false, null));
  }
});

test('texts with characters that are read as others, or escapes of them, have no windows', () => {
  for (const odd of [
    '１',
    '\u00a0',
    '\u200b',
    '\u2013',
    '\u1112\u1161\u11ab',
    '\\u0031',
    '%40',
    '\u{1d7ce}',
    '\ufe0f',
    'ㅡ',
  ])
    for (const text of [far + odd, far + odd + far, odd]) expect(windowsOf(text), odd).toBeUndefined();
  for (const plain of ['“', '…', '·', '😀', 'ㅋㅋ', '「', '%', '→', '①'])
    expect(windowsOf(far + plain), plain).toEqual([]);
});

test('only types of numbers are found in windows, and no words of a list', () => {
  expect(isFoundInWindows({})).toBe(true);
  expect(isFoundInWindows({ types: numberTypes, allowList: ['1'] })).toBe(true);
  expect(isFoundInWindows({ types: [...numberTypes, 'EMAIL'] })).toBe(false);
  expect(isFoundInWindows({ denyList: ['가'] })).toBe(false);
});

test('the time that windows take grows with the text alone', () => {
  const digits = Buffer.from('123456-789012,-'.repeat(40_000));
  const runs = Buffer.from('1'.repeat(600_000));
  for (const bytes of [digits, runs])
    expect(findWindows(bytes, 0, bytes.length)).toEqual([{ start: 0, end: bytes.length }]);
});
