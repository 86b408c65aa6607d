import { isBusinessChecksum, isCorporateChecksum } from '../checksums.ts';
import { contextWords, isInEnglish, standsAlone, objectWords } from '../context.ts';
import type { NumberRule } from '../numbers.ts';

const businessWords = contextWords([
  '사업자',
  'biz',
  'bizno',
  '사업자등록',
  '등록번호',
  '상호',
  '세금계산서',
  '공급자',
  '공급받는자',
  'brn',
  'business registration',
  'business number',
  'business no',
  'tax id',
  'vat',
  'registration number',
]);
const corporateWords = contextWords([
  '법인',
  '법인등록',
  '등기',
  'crn',
  'corp',
  'corpno',
  'corporate',
  'corporation',
  'company registration',
  'incorporation',
]);
const personWords = contextWords(['주민', '외국인등록', 'rrn', 'resident']);

/** Businesses: office, kind, serial, check. Source: rules of the national tax service. */
const businesses: NumberRule = {
  type: 'BUSINESS_NUMBER',
  shapes: ['3-2-5', '10'],
  joiners: ['none', 'dash', 'space', 'dot'],
  score({ text, start, end, digits, joiner }) {
    if (!isBusinessChecksum(digits) || digits.startsWith('0') || digits.slice(3, 5) === '00') return 0;
    if (businessWords.distanceTo(text, start, end) !== null) return 0.98;
    const isNearObject = objectWords.distanceTo(text, start, end) !== null;
    if (joiner !== 'none') return isNearObject ? 0.6 : 0.9;
    return standsAlone(text, start, end) ? 0.6 : 0.4;
  },
};

/** In extracts of the commercial register, the number of the register's page precedes that of the company. */
const OF_REGISTER = /등기(?:번호|부|사항)[^가-힣]{0,24}등록번호[\s:|]{0,4}$/;
export function isOfRegister(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 48), start);
  // Most texts lack the word, which is told sooner than by the pattern.
  return before.includes('등기') && OF_REGISTER.test(before);
}

/** Corporations. Their numbers look like those of residents, so a context word is required. */
const corporations: NumberRule = {
  type: 'CORPORATE_NUMBER',
  shapes: ['6-7', '13'],
  joiners: ['none', 'dash', 'space'],
  score({ text, start, end, digits }) {
    const distance = isOfRegister(text, start) ? 0 : corporateWords.distanceTo(text, start, end);
    if (distance === null) return 0;
    if (/법인 ?(?:신용|체크)?카드/.test(text.slice(Math.max(0, start - 16), start))) return 0;
    const personDistance = personWords.distanceTo(text, start, end);
    if (personDistance !== null && personDistance < distance) return 0;
    return isCorporateChecksum(digits) ? 0.97 : 0.7;
  },
};

const insuranceWords = contextWords([
  '건강보험',
  '보험증',
  '건강보험증',
  '의료보험',
  '증번호',
  '피보험자',
  'health insurance',
  'nhis',
  'insurance card',
]);

/** Cards of the national health insurance: eleven digits, which only a context word tells from others. */
const healthInsurance: NumberRule = {
  type: 'HEALTH_INSURANCE',
  shapes: ['11', '1-10'],
  joiners: ['none', 'dash', 'space'],
  score({ text, start, end, digits }) {
    if (digits.startsWith('0') || insuranceWords.distanceTo(text, start, end) === null) return 0;
    return insuranceWords.isLabelled(text, start) ? 0.92 : 0.75;
  },
};

const socialWords = contextWords([
  'ssn',
  'social security',
  '사회보장',
  '소셜 시큐리티',
  '사회보장번호',
  'taxpayer',
  'tin',
  'itin',
]);

/** Social security numbers of the United States. Source: SSA, RM 10201.035. */
const socialSecurity: NumberRule = {
  type: 'SSN',
  shapes: ['3-2-4', '9'],
  joiners: ['none', 'dash', 'space'],
  score({ text, start, end, digits, joiner }) {
    if (/^(?:000|666|9)/.test(digits) || digits.slice(3, 5) === '00' || digits.endsWith('0000')) return 0;
    if (digits === '123456789' && joiner === 'none') return 0;
    const isNamed = socialWords.distanceTo(text, start, end) !== null;
    if (joiner === 'none') return isNamed ? 0.8 : 0;
    if (isNamed) return 0.95;
    return joiner === 'dash' && isInEnglish(text, start, end) && objectWords.distanceTo(text, start, end) === null
      ? 0.55
      : 0.4;
  },
};

/** Numbers of companies, insured people and taxpayers. */
export const companyNumbers = [businesses, corporations];
/** Numbers of insured people and taxpayers. */
export const insuredNumbers = [healthInsurance, socialSecurity];
