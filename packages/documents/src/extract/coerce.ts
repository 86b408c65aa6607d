import { labelKey } from './labels.ts';
import { numberOf } from './numbers.ts';
import type { Value, WantedValue } from './wanted.ts';

const MAX_VALUE_LENGTH = 2_000;

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

const yes = new Set('예 네 유 여 있음 있다 해당 해당함 해당됨 동의 동의함 동의합니다 o y yes true ○ ☑ √ v'.split(' '));
const no = new Set(
  '아니오 아니요 무 부 없음 없다 해당없음 해당사항없음 해당하지않음 해당안됨 미해당 비해당 부동의 미동의 비동의 동의안함 동의하지않음 동의하지않습니다 x n no false ☐'.split(
    ' ',
  ),
);

/** What a word says: `있음`, `비해당`, `Yes`; null where it says neither. */
export function booleanOf(text: string): boolean | null {
  const word = labelKey(text) || text.trim().toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

const written = (text: string) => text.normalize('NFKC').trim();
/** Signs behind a word that tell it from another: `A+`, `C#`. */
const signsBehind = (text: string) => /[+\-−#*]*$/u.exec(written(text))?.[0] ?? '';

/** The option that a text names: the same letters, else the only one that differs in blanks and punctuation alone; null for none. */
function optionOf(text: string, options: readonly string[]): string | null {
  const same = options.find((option) => written(option) === written(text));
  if (same !== undefined) return same;
  const key = labelKey(text);
  const alike = options.filter((option) => labelKey(option) === key && signsBehind(option) === signsBehind(text));
  return key !== '' && alike.length === 1 ? (alike[0] ?? null) : null;
}

/** The number in a text, of which the label may say that it counts thousands or millions. */
function scaledNumber(words: string, factor: number): number | null {
  const number = numberOf(words);
  // What says by itself how much it counts is not multiplied.
  if (number === null || factor === 1 || /[천백만억조원%]/u.test(words)) return number;
  return Number((number * factor).toPrecision(15));
}

function typedValue(words: string, { type, options, date }: WantedValue, factor: number): Value | null {
  if (type === 'boolean') return booleanOf(words);
  if (type === 'number' || type === 'integer') {
    const number = scaledNumber(words, factor);
    return number === null || (type === 'integer' && !Number.isInteger(number)) ? null : number;
  }
  if (date === true) return dateOf(words);
  if (options !== undefined) return optionOf(words, options.map(String));
  return words.length > MAX_VALUE_LENGTH ? null : words;
}

/** A text of a document as the value that is wanted; null where it can't be that. Numbers are multiplied with `factor`. */
export function coerce(text: string, wanted: WantedValue, factor = 1): Value | null {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  const value = words === '' ? null : typedValue(words, wanted, factor);
  return value === null || wanted.options?.includes(value) === false ? null : value;
}
