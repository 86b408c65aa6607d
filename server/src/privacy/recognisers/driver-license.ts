import { contextWords, standsAlone, objectWords } from '../context.ts';
import type { NumberRule } from '../numbers.ts';
import type { Report } from '../finding.ts';

const words = contextWords([
  '운전면허',
  '면허번호',
  '면허증',
  '면허',
  '운전자',
  "driver's license",
  'driver license',
  'drivers license',
  'driving licence',
  'license',
  'licence',
  'dl no',
]);

/** Codes of the police agencies that issue licences: 11 to 26 and 28. */
const isRegion = (digits: string) => {
  const region = Number(digits.slice(0, 2));
  return region >= 11 && region <= 28;
};

/** Twelve digits: region, year, serial, check. The algorithm of the check digits is not public. */
export const driverLicenses: NumberRule = {
  type: 'DRIVER_LICENSE',
  shapes: ['2-2-6-2', '12'],
  joiners: ['none', 'dash', 'space', 'dot'],
  score({ text, start, end, digits, joiner }) {
    if (!isRegion(digits)) return 0;
    if (words.distanceTo(text, start, end) !== null) return joiner === 'none' ? 0.85 : SURE_WITH_WORDS;
    if (joiner === 'none') return standsAlone(text, start, end) ? 0.55 : 0.35;
    return objectWords.distanceTo(text, start, end) === null ? (joiner === 'dash' ? 0.8 : 0.6) : 0.4;
  },
};
const SURE_WITH_WORDS = 0.95;

const OLD =
  /(?:서울|부산|대구|인천|광주|대전|울산|경기(?:남부|북부)?|강원|충북|충남|전북|전남|경북|경남|제주)[ -]?(?:[0-9]{2}[ -])[0-9]{6}[ -][0-9]{2}(?![0-9A-Za-z*]|-[0-9*])/g;

/** Finds licences of the older form, with the name of the region: 서울 12-345678-90. */
export function findOldLicenses(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(OLD)) {
    const end = index + found.length;
    report('DRIVER_LICENSE', index, end, words.distanceTo(text, index, end) === null ? 0.7 : 0.95);
  }
}
