import { isBirthDate, isForeignerChecksum, isResidentChecksum } from '../checksums.ts';
import { contextWords, isAmount, standsAlone, objectWords } from '../context.ts';
import { SURE } from '../finding.ts';
import type { Candidate, NumberRule } from '../numbers.ts';
import { isOfRegister } from './company.ts';

// Numbers of residents and of foreigners: six digits of the date of birth, one of century and sex, six more. Numbers issued since
// October 2020 have no check digit, so a wrong one proves nothing.

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
/** Words for companies, whose numbers have the same shape. */
const companyWords = contextWords(['법인', '등기', 'corp', 'corporate', 'corporation', 'company registration']);

const JOINERS = ['none', 'dash', 'space', 'dot', 'mixed'] as const;
const PLAUSIBLE = 0.72;
/** Numbers without separators are often something else: a bar code, a timestamp. */
const BARE = 0.52;

/** Whether digits are a bar code with the country code of Korea. */
const isBarcode = (digits: string): boolean => {
  if (!digits.startsWith('880')) return false;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
};

function score(candidate: Candidate, hasChecksum: boolean): number {
  const { text, start, end, joiner, digits } = candidate;
  if (isOfRegister(text, start)) return 0;
  const distance = words.distanceTo(text, start, end);
  const companyDistance = companyWords.distanceTo(text, start, end);
  if (companyDistance !== null && (distance === null || companyDistance < distance)) return hasChecksum ? 0.4 : 0.3;
  if (distance !== null) return hasChecksum ? 1 : 0.9;
  const isAlone = standsAlone(text, start, end);
  if (joiner === 'dash') return hasChecksum ? SURE : PLAUSIBLE + (isAlone ? 0.1 : 0);
  const isNearObject = objectWords.distanceTo(text, start, end) !== null || isBarcode(digits) || isAmount(text, end);
  if (hasChecksum) return isNearObject ? 0.4 : 0.85;
  if (joiner !== 'none') return isNearObject ? 0.3 : 0.55;
  return isNearObject ? 0.3 : BARE + (isAlone ? 0.1 : 0);
}

/** Century of birth by the seventh digit; digits of the 19th century are left out. */
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

const rule = (type: 'RRN' | 'FRR', isChecksum: (digits: string) => boolean): NumberRule => ({
  type,
  shapes: ['6-7', '13'],
  joiners: JOINERS,
  score(candidate) {
    const { digits } = candidate;
    const sex = digits.charAt(6);
    const century = centuries[sex];
    if (century === undefined || sex > '4' !== (type === 'FRR') || !isBirthDate(digits, century)) return 0;
    return score(candidate, isChecksum(digits));
  },
});

/** RRN and FRR. Source: Resident Registration Act, enforcement rules article 2; Immigration Act, article 31. */
export const residentNumbers: readonly NumberRule[] = [
  rule('RRN', isResidentChecksum),
  rule('FRR', isForeignerChecksum),
];
