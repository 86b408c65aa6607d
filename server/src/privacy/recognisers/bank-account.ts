import { isBusinessChecksum } from '../checksums.ts';
import { contextWords, isAmount, objectWords } from '../context.ts';
import type { Candidate, NumberRule } from '../numbers.ts';
import { koreanPhoneKind } from './phone-shape.ts';

const words = contextWords([
  '계좌',
  '통장',
  '입금',
  '송금',
  '이체',
  '예금',
  '예금주',
  '출금',
  '은행',
  '농협',
  '수협',
  '신협',
  '새마을금고',
  '우체국',
  '카카오뱅크',
  '토스뱅크',
  '케이뱅크',
  '뱅크',
  '급여',
  '월세',
  '보증금',
  '회비',
  '관리비',
  '등록금',
  '부쳐',
  '넣어',
  '환급',
  '환불',
  'account',
  'acct',
  'bank',
  'iban',
  'deposit',
  'transfer',
  'remit',
  'payroll',
  'wire',
]);
/** Short names of banks. They are everyday words, and count only directly beside a number with the shape of an account. */
const shortNames =
  /(?:신한|국민|우리|하나|기업|농협|카뱅|카카오|토스|케뱅|씨티|제일|부산|대구|광주|전북|경남|제주|수협|신협|새마을|우체국|KB|NH|IBK|SC|kakao|toss)/i;
const nameBefore = new RegExp(`${shortNames.source}\\s?[:(]?\\s?$`, 'i');
const nameAfter = new RegExp(`^\\s?[(/]?\\s?${shortNames.source}(?![가-힣a-z])`, 'i');
const hasBankBeside = (text: string, start: number, end: number) =>
  nameBefore.test(text.slice(Math.max(0, start - 10), start)) || nameAfter.test(text.slice(end, end + 10));

/** Labels that leave no doubt directly before a number. */
const label = contextWords(['계좌', '계좌번호', '통장번호', '입금계좌', 'account', 'account number', 'acct', 'a/c']);
const otherWords = contextWords([
  '전화',
  '연락처',
  '휴대폰',
  '휴대전화',
  '핸드폰',
  '팩스',
  '콜센터',
  '고객센터',
  '문의',
  '사업자',
  '법인',
  '주민',
  '면허',
  '여권',
  '카드',
  '보험증',
  '승인번호',
  '거래번호',
  '사건번호',
  '생년월일',
  '일시',
  '날짜',
  'phone',
  'mobile',
  'tel',
  'fax',
  'card',
  'date',
  'passport',
  'business registration',
]);

/** Lengths of the groups of account numbers of Korean banks, old and new. */
const shapes = new Set([
  '3-2-6', // 신한, 농협, SC제일, 기업 before
  '3-3-6', // 신한, 케이뱅크, 광주
  '3-2-4-3', // KB국민
  '6-2-6', // KB국민, 우체국
  '4-3-6', // 우리
  '3-6-5', // 하나
  '3-4-4-2', // 농협, 부산
  '3-6-2-3', // 기업
  '4-2-7', // 카카오뱅크, 전북
  '4-4-4', // 토스뱅크
  '4-4-4-1', // 새마을금고
  '4-2-6-1',
  '3-2-6-1', // iM, 부산
  '3-2-7', // 경남
  '3-2-6-3',
  '3-2-5-1',
  '2-2-6', // 제주
  '3-5-5',
  '3-6-3', // 씨티
  '3-4-6',
  '6-2-5',
  '5-2-6',
  '5-3-5',
  '5-3-6',
  '3-3-5-1',
  '3-6-2-1',
]);

/** Whether a bank's name stands directly beside a number with the shape of an account, or before digits without separators. */
function isBesideBank({ text, start, end, digits, lengths, joiner }: Candidate, hasBankShape: boolean): boolean {
  if (koreanPhoneKind(digits) !== null) return false;
  if (hasBankShape && joiner === 'dash') return hasBankBeside(text, start, end);
  if (joiner !== 'none' || digits.length < 11 || digits.length > 14 || isDay(digits, lengths)) return false;
  return (
    nameBefore.test(text.slice(Math.max(0, start - 10), start)) && objectWords.distanceTo(text, start, end) === null
  );
}

/** Bank accounts: numbers with the shape of an account, and numbers that a word near them calls an account. */
export const bankAccounts: NumberRule = {
  type: 'BANK_ACCOUNT',
  shapes: { minDigits: 10, maxDigits: 16, groups: 4 },
  joiners: ['none', 'dash', 'space'],
  score(candidate) {
    const { text, start, end, digits, lengths, joiner } = candidate;
    const hasBankShape = shapes.has(lengths.join('-'));
    if (joiner === 'space' && !hasBankShape) return 0;
    if (isAmount(text, end)) return 0;
    if (lengths.length > 1 && lengths.some((length) => length > 7)) return 0;
    const distance = words.distanceTo(text, start, end);
    if (distance === null) return isBesideBank(candidate, hasBankShape) ? 0.7 : 0;
    const isNamed = label.isLabelled(text, start);
    if (
      !isNamed &&
      (koreanPhoneKind(digits) !== null || isDay(digits, lengths) || (!hasBankShape && isYear(digits, lengths)))
    )
      return 0;
    if (!isNamed && lengths.join('-') === '3-2-5' && isBusinessChecksum(digits)) return 0;
    const otherDistance = otherWords.distanceTo(text, start, end);
    const objectDistance = objectWords.distanceTo(text, start, end);
    const rivalDistance = Math.min(otherDistance ?? Infinity, objectDistance ?? Infinity);
    if (rivalDistance < distance) return 0.4;
    // Some banks offer phone numbers as account numbers: a label decides.
    if (isNamed) return hasBankShape ? 0.95 : 0.93;
    return hasBankShape ? 0.8 : joiner === 'dash' ? 0.65 : 0.6;
  },
};

/** Serial numbers with a year: 2024-123456. */
const isYear = (digits: string, lengths: readonly number[]) => lengths[0] === 4 && /^(?:19|20)/.test(digits);

/** Dates and serial numbers with a date: 20240115-123456. */
const isDay = (digits: string, lengths: readonly number[]) =>
  lengths[0] !== undefined &&
  lengths[0] >= 8 &&
  /^(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])/.test(digits);
