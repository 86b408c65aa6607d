import { hash } from 'node:crypto';
import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import { expect, test } from 'vitest';
import { createRandom } from '../../../bench/privacy/random.ts';
import { mutate, texts } from '../../test/support/changed-texts.ts';
import { times } from '../../test/support/long.ts';
import { type FindPolicy, findPii } from './find.ts';
import { findLeft } from './leftover.ts';
import { type Masked, maskTextWith } from './mask.ts';
import { TOKEN_ALPHABET, tokenPlaceholder } from './placeholder.ts';
import { findWindows } from './windows.ts';

// A number that the second search leaves out would reach the model. So it is compared with a search of the whole masked text.

const policies: readonly FindPolicy[] = [
  {},
  { types: ['RRN', 'PASSPORT'] },
  { types: ['PHONE', 'BANK_ACCOUNT', 'CREDIT_CARD', 'SSN', 'IMEI'], threshold: 0.3 },
  { types: ['BUSINESS_NUMBER', 'CORPORATE_NUMBER', 'HEALTH_INSURANCE', 'DRIVER_LICENSE'], threshold: 0 },
];

/** Tokens of eight letters and digits, many of them digits, as the guard writes them. */
function token(type: FindingType, value: string): string {
  const digest = hash('sha256', value, 'buffer').subarray(0, 8);
  return tokenPlaceholder(type, Array.from(digest, (byte) => TOKEN_ALPHABET[byte & 15] ?? '').join(''));
}
const writers = { token, hash: token, encrypt: token };

const near = ['계좌 ', '여권번호: ', '주문번호 ', ' 전화 ', '-', ' ', ', ', '법인 ', 'M', ' account ', '\n', '이고 '];
const numbers = [
  '110-123-456789',
  '900101-1234567',
  'M12345678',
  '4111 1111 1111 1111',
  '010-1234-5678',
  '3333-01-1234567',
];
const filler = ['오늘 회의에서 예산과 일정을 검토했고 ', 'the report of 2026 was sent to them, ', '제3조 2항에 따라, '];

test('what is left in a masked text is found around the numbers that are left', () => {
  const random = createRandom(18);
  let [compared, further, partly] = [0, 0, 0];
  for (let round = times(6_000, 200_000); round > 0; round--) {
    let text = '';
    for (let part = 1 + random.int(6); part > 0; part--) {
      for (let words = random.int(6); words > 0; words--) text += random.pick(filler);
      text += random.chance(0.2)
        ? mutate(random.pick(texts), random)
        : random.pick(near) + random.pick(numbers) + random.pick(near) + random.pick(numbers);
    }
    const bytes = Buffer.from(JSON.stringify(text).slice(1, -1));
    // Others are searched as a whole.
    if (findWindows(bytes, 0, bytes.length) === null) continue;
    compared++;
    const policy = { ...random.pick(policies), operator: 'replace' } as const;
    const findAgain = (masked: Masked) => {
      const whole = findPii(masked.text, policy);
      further += whole.length;
      const left = findLeft(masked, (part) => {
        if (part.length < masked.text.length) partly++;
        return findPii(part, policy);
      });
      expect(left, JSON.stringify([text, masked.text])).toEqual(whole);
      return left;
    };
    // At once, so that all was compared.
    expect(maskTextWith(findPii, text, policy, writers, findAgain)).not.toBeInstanceOf(Promise);
  }
  expect(compared).toBeGreaterThan(times(6_000, 200_000) / 2);
  // Some were found, and often only a part was looked at.
  expect(further).toBeGreaterThan(compared / 500);
  expect(partly).toBeGreaterThan(compared / 20);
});

test('nothing is searched where no number is left', () => {
  const searched: string[] = [];
  const find = (text: string) => {
    searched.push(text);
    return findPii(text);
  };
  const text = '오늘 회의 3번째, 주민번호는 900101-1234567이고 2026년 제3조. '.repeat(3);
  const masked = maskTextWith(find, text, { operator: 'replace' }, writers, (again) => findLeft(again, find));
  expect(masked).toMatchObject({ findings: [{ type: 'RRN' }, { type: 'RRN' }, { type: 'RRN' }] });
  expect(searched).toEqual([text]);
});
