import { birthday, foreignerCheck, residentCheck } from '../checksums.ts';
import { contextWords, isAmount, standsAlone, thingWords } from '../context.ts';
import { SURE } from '../finding.ts';
import type { Candidate, NumberRule } from '../numbers.ts';
import { isOfRegister } from './company.ts';

// Numbers of residents and of foreigners: six digits of the day of birth, one of century and sex, six more. Those given
// since October 2020 have no check digit, so a wrong one tells nothing.

const words = contextWords([
  '주민',
  '주민등록',
  '외국인등록',
  '외국인번호',
  '등록증',
  '외국인 등록',
  '거소신고',
  '국내거소',
  '주민번호',
  '생년월일',
  'rrn',
  'frn',
  'frr',
  'arc',
  'resident registration',
  'alien registration',
  'alien reg',
  'resident no',
  'foreigner registration',
  'resident number',
  'resident id',
  'social security',
]);
/** Of companies, whose numbers have the same shape. */
const companyWords = contextWords(['법인', '등기', 'corp', 'corporate', 'corporation', 'company registration']);

const JOINERS = ['none', 'dash', 'space', 'dot', 'mixed'] as const;
const PLAUSIBLE = 0.72;
/** Numbers without marks are often something else: a bar code, a time stamp. */
const BARE = 0.52;

/** Country codes of Korea in bar codes. */
const isBarcode = (digits: string): boolean => {
  if (!digits.startsWith('880')) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
};

function score(candidate: Candidate, checked: boolean): number {
  const { text, start, end, joiner, digits } = candidate;
  if (isOfRegister(text, start)) return 0;
  const near = words.near(text, start, end);
  const company = companyWords.near(text, start, end);
  if (company !== null && (near === null || company < near)) return checked ? 0.4 : 0.3;
  if (near !== null) return checked ? 1 : 0.9;
  const alone = standsAlone(text, start, end);
  if (joiner === 'dash') return checked ? SURE : PLAUSIBLE + (alone ? 0.1 : 0);
  const thing = thingWords.near(text, start, end) !== null || isBarcode(digits) || isAmount(text, end);
  if (checked) return thing ? 0.4 : 0.85;
  if (joiner !== 'none') return thing ? 0.3 : 0.55;
  return thing ? 0.3 : BARE + (alone ? 0.1 : 0);
}

/** Century in which one was born, by the seventh digit; null for those who are not among the living. */
const centuries: Readonly<Record<string, number>> = {
  1: 1900,
  2: 1900,
  3: 2000,
  4: 2000,
  5: 1900,
  6: 1900,
  7: 2000,
  8: 2000,
};

const rule = (type: 'RRN' | 'FRR', check: (digits: string) => boolean): NumberRule => ({
  type,
  shapes: ['6-7', '13'],
  joiners: JOINERS,
  score(candidate) {
    const { digits } = candidate;
    const sex = digits.charAt(6);
    const century = centuries[sex];
    if (century === undefined || sex > '4' !== (type === 'FRR') || !birthday(digits, century)) return 0;
    return score(candidate, check(digits));
  },
});

/** RRN and FRR. Source: Resident Registration Act, enforcement rules article 2; Immigration Act, article 31. */
export const residentNumbers: readonly NumberRule[] = [rule('RRN', residentCheck), rule('FRR', foreignerCheck)];
