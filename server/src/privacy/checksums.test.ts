import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isBirthDate,
  isBusinessChecksum,
  isCorporateChecksum,
  isForeignerChecksum,
  isIbanChecksum,
  isLuhn,
  isResidentChecksum,
} from './checksums.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
/** The check digits, of those a number may have, that are taken for right. */
const rightOnes = (check: (digits: string) => boolean, number: string) =>
  Array.from('0123456789').filter((last) => check(number + last));
/** A 1 in one place and 0 in all others. */
const oneAt = (place: number, length: number) => `${'0'.repeat(place)}1${'0'.repeat(length - place - 1)}`;
/** What each place by itself makes of the check digit, which tells its weight. */
const perPlace = (check: (digits: string) => boolean, length: number) =>
  Array.from({ length }, (_, place) => rightOnes(check, oneAt(place, length)).join('/')).join(' ');

describe('a check digit', () => {
  test.each([
    ['of residents', isResidentChecksum, 12, '9 8 7 6 5 4 3 2 9 8 7 6'],
    ['of foreigners', isForeignerChecksum, 12, '1 0 9 8 7 6 5 4 1 0 9 8'],
    ['of businesses', isBusinessChecksum, 9, '9 7 3 9 7 3 9 7 5'],
    ['of corporations', isCorporateChecksum, 12, '9 8 9 8 9 8 9 8 9 8 9 8'],
    ['of cards', isLuhn, 12, '9 8 9 8 9 8 9 8 9 8 9 8'],
  ])('%s weighs each place by itself', (_name, check, length, expected) => {
    expect(perPlace(check, length)).toBe(expected);
  });

  test.each([
    ['of residents', isResidentChecksum, 12],
    ['of foreigners', isForeignerChecksum, 12],
    ['of businesses', isBusinessChecksum, 9],
    ['of corporations', isCorporateChecksum, 12],
    ['of cards', isLuhn, 15],
  ])('%s is one for every number', (_name, check, length) => {
    fc.assert(
      fc.property(digits(length), (number) => {
        expect(rightOnes(check, number)).toHaveLength(1);
      }),
    );
  });

  test('of cards notices a digit that changed, and two neighbours that changed places', () => {
    fc.assert(
      fc.property(digits(15), fc.nat(14), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const [last = ''] = rightOnes(isLuhn, number);
        const other = `${number.slice(0, place)}${(Number(number[place]) + by) % 10}${number.slice(place + 1)}`;
        expect(isLuhn(other + last)).toBe(false);
        const [left = '', right = ''] = number.slice(place, place + 2);
        const swapped = `${number.slice(0, place)}${right}${left}${number.slice(place + 2)}`;
        // 09 and 90 are the two that it cannot tell apart.
        const told = left !== right && right !== '' && !['09', '90'].includes(left + right);
        expect(isLuhn(swapped + last)).toBe(!told);
      }),
    );
  });

  test('of businesses takes the tens of the ninth place with it', () => {
    expect(Array.from({ length: 10 }, (_, last) => rightOnes(isBusinessChecksum, `00000000${last}`).join('/'))).toEqual(
      ['0', '5', '9', '4', '8', '3', '7', '2', '6', '1'],
    );
  });
});

describe('an international account number', () => {
  const well = [
    'GB29NWBK60161331926819',
    'DE89370400440532013000',
    'FR1420041010050500013M02606',
    'MT84MALT011000012345MTLCAST001S',
  ];

  test.each(well)('%s is well, and with any other digit it is not', (iban) => {
    expect(isIbanChecksum(iban)).toBe(true);
    for (let place = 2; place < iban.length; place++) {
      const digit = Number.parseInt(iban.charAt(place), 36);
      if (digit > 9) continue;
      for (let by = 1; by < 10; by++) {
        const other = `${iban.slice(0, place)}${(digit + by) % 10}${iban.slice(place + 1)}`;
        expect(isIbanChecksum(other), other).toBe(false);
      }
    }
  });

  test('has a remainder of 1 and no other', () => {
    const checked = Array.from({ length: 97 }, (_, at) => `GB${String(at + 2).padStart(2, '0')}NWBK60161331926819`);
    expect(checked.filter(isIbanChecksum)).toEqual(['GB29NWBK60161331926819']);
  });
});

describe('a day of birth', () => {
  test('is one that the calendar of its century has', () => {
    const isDay = (text: string, century: number) => {
      const [year, month, day] = [0, 2, 4].map((at) => Number(text.slice(at, at + 2)));
      const date = new Date(Date.UTC(century + (year ?? 0), (month ?? 0) - 1, day));
      return date.getUTCMonth() === (month ?? 0) - 1 && date.getUTCDate() === day;
    };
    for (const century of [1800, 1900, 2000])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++)
          for (const year of [0, 1, 4, 96, 99]) {
            const text = [year, month, day].map((part) => String(part).padStart(2, '0')).join('');
            expect(isBirthDate(text, century), `${text} of ${century}`).toBe(isDay(text, century));
          }
  });
});
