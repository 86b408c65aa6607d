import { labelKey, type WantedValue } from './wanted.ts';

/** What a value may be. */
export type Value = string | number | boolean;

const MAX_VALUE_LENGTH = 2_000;
const units: Readonly<Record<string, number>> = { 십: 10, 백: 100, 천: 1_000, 만: 1e4, 억: 1e8, 조: 1e12 };
const amountPart = /(\d[\d,]*(?:\.\d+)?)\s*([십백천])?\s*([만억조])?/gu;
/** A number with what may stand around it: signs of money, units, brackets. */
const amount = /^[^\d\n]{0,12}?([-−△▲+])?\s*(\d[\d,.십백천만억조 ]*)[^\d\n]{0,20}$/u;

/** A number as documents write it: `1,200원`, `△3.5%`, `1억 5천만원`; null for what is none. */
export function numberOf(text: string): number | null {
  const [, sign, parts = ''] = amount.exec(text.trim().slice(0, 100)) ?? [];
  // Before 만, 억 and 조 stands all that they count, as in 5천 200만.
  let [sum, group, found, isOver] = [0, 0, false, false];
  for (const [, digits = '', small = '', large = ''] of parts.matchAll(amountPart)) {
    // Another number, or a date: 2024.5.6.
    if (isOver) return null;
    group += Number(digits.replaceAll(',', '')) * (units[small] ?? 1);
    if (large !== '') [sum, group] = [sum + group * (units[large] ?? 1), 0];
    isOver = small === '' && large === '';
    found = true;
  }
  sum += group;
  if (!found || !Number.isFinite(sum)) return null;
  return sign === undefined || sign === '+' ? sum : -sum;
}

const dateParts =
  /(?:^|\D)(\d{4}|['‘’]\d{2})\s*[.\-/년]\s*(\d{1,2})\s*[.\-/월]\s*(\d{1,2})(?=\D|$)|(?:^|\D)(\d{4})(\d{2})(\d{2})(?=\D|$)/u;

/** A date as YYYY-MM-DD; null for what is none. */
export function dateOf(text: string): string | null {
  const found = dateParts.exec(text.slice(0, 200));
  if (found === null) return null;
  const [, year = found[4] ?? '', month = found[5] ?? '', day = found[6] ?? ''] = found;
  // Of two digits those of the last century are dates of birth.
  const full = /^\d{4}$/.test(year) ? year : `${Number(year.slice(1)) < 50 ? 20 : 19}${year.slice(1)}`;
  const written = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written) ? written : null;
}

const yes = new Set(['예', '네', '유', '있음', '해당', '동의', '동의함', 'o', 'y', 'yes', 'true', '○', '☑', '√', 'v']);
const no = new Set([
  '아니오',
  '아니요',
  '무',
  '없음',
  '해당없음',
  '미해당',
  '부동의',
  '동의하지않음',
  'x',
  'n',
  'no',
  'false',
  '☐',
]);

function booleanOf(text: string): boolean | null {
  const word = labelKey(text) || text.trim().toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

/** A text of a document as the value that is wanted; null where it can't be that. */
export function coerce(text: string, { type, options, date }: WantedValue): Value | null {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return null;
  if (type === 'boolean') return booleanOf(words);
  if (type === 'number' || type === 'integer') {
    const number = numberOf(words);
    return number === null || (type === 'integer' && !Number.isInteger(number)) ? null : number;
  }
  if (date === true) return dateOf(words);
  if (options !== undefined) return options.find((option) => labelKey(option) === labelKey(words)) ?? null;
  return words.length > MAX_VALUE_LENGTH ? null : words;
}
