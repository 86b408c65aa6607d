import { isLuhn } from '../checksums.ts';
import { contextWords, standsAlone, objectWords } from '../context.ts';
import type { NumberRule } from '../numbers.ts';

const cardWords = contextWords([
  '카드',
  '신용카드',
  '체크카드',
  '결제',
  '비자',
  '마스터',
  '아멕스',
  '유효기간',
  '승인',
  '청구',
  'card',
  'cardholder',
  'credit',
  'debit',
  'visa',
  'mastercard',
  'amex',
  'pan',
  'payment',
  'charge',
  'charged',
  'declined',
  'cvc',
  'cvv',
  'expiry',
]);

/** First digits of each issuer and the lengths of its numbers. Source: ISO/IEC 7812, lists of the schemes. */
const issuers: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3095|36|3[89])/, [14, 16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65|62|81)/, [16, 17, 18, 19]],
  [/^9[0-9]/, [16]],
];
/** Issuers with other lengths; only context words make their numbers likely. */
const rareIssuer = /^(?:4|5[06-9]|6)/;

const groupings = new Set(['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3', '6-13', '8-8', '4-4-5', '4-4-4-3']);

function score({ text, start, end, digits, lengths, joiner }: Parameters<NumberRule['score']>[0]): number {
  if (!isLuhn(digits) || /^(.)\1+$/.test(digits)) return 0;
  const isKnownIssuer = issuers.some(
    ([prefix, lengthsOfIssuer]) => prefix.test(digits) && lengthsOfIssuer.includes(digits.length),
  );
  if (!isKnownIssuer && !rareIssuer.test(digits)) return 0;
  if (lengths.length > 1 && !groupings.has(lengths.join('-'))) return 0;
  const distance = cardWords.distanceTo(text, start, end);
  const objectDistance = objectWords.distanceTo(text, start, end);
  if (distance !== null && (objectDistance === null || distance <= objectDistance)) return isKnownIssuer ? 1 : 0.85;
  if (!isKnownIssuer) return 0.35;
  if (joiner !== 'none') return objectDistance === null ? 0.95 : 0.75;
  if (standsAlone(text, start, end)) return 0.9;
  return objectDistance === null ? 0.7 : 0.4;
}

/** Cards of 12 to 19 digits. */
export const cards: NumberRule = {
  type: 'CREDIT_CARD',
  shapes: { minDigits: 12, maxDigits: 19, groups: 5 },
  joiners: ['none', 'dash', 'space', 'dot'],
  score,
};

const deviceWords = contextWords([
  'imei',
  '단말기',
  '기기번호',
  '기기 번호',
  '단말 식별',
  '고유식별',
  '고유번호',
  'device',
  'handset',
  'meid',
]);

/** Reporting bodies of devices, by the first two digits. Source: GSMA TS.06. */
const reportingBody = /^(?:01|35|86|99|91|98|44|45|49|50|51|52|53|54)/;

/** Devices of mobile networks. Source: 3GPP TS 23.003, section 6.2. */
export const devices: NumberRule = {
  type: 'IMEI',
  shapes: ['15', '2-6-6-1', '6-2-6-1', '8-6-1'],
  joiners: ['none', 'dash', 'space'],
  score({ text, start, end, digits, lengths }) {
    if (!isLuhn(digits) || /^(.)\1+$/.test(digits)) return 0;
    if (deviceWords.distanceTo(text, start, end) !== null) return 0.95;
    if (!reportingBody.test(digits)) return 0;
    return lengths.length > 1 ? 0.75 : objectWords.distanceTo(text, start, end) === null ? 0.55 : 0.4;
  },
};
