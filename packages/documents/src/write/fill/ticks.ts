// What a box to tick is told by: a closed list. Data comes from programs and models as well, and what does not plainly say yes must not tick a
// consent.

/** What an answer says: null where that is neither yes nor no. */
export type Answer = boolean | null;

const wordsOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

const yes = wordsOf(
  'true t yes y on 1 o v checked agree agreed',
  '예 네 참 동의 동의함 동의합니다 해당 해당함 해당됨 해당있음 있음 유 선택 확인',
  '☑ ✓ ✔ ✅ √ ■ ● ◉',
);
const no = wordsOf(
  'false f no n off 0 x null none unchecked disagree disagreed -',
  '아니오 아니요 아뇨 아님 거짓 미동의 부동의 비동의 동의안함 동의하지않음 동의하지않습니다 거부',
  '해당없음 해당안됨 미해당 비해당 없음 무 미선택',
  '☐ □ ✗ ✘ ✕ × ❌',
);

/** A text as the lists have it: widths and case alike, without blanks, signs of how letters look, and the dot of a sentence. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\uFE00-\uFE0F]/g, '')
    .replace(/[.!]{1,3}$/, '');

/** Longer texts are none of the lists. */
const MAX_ANSWER_LENGTH = 40;

/** Whether a value says yes or no. What is missing or empty says no. */
export function answerOf(value: unknown): Answer {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : null;
  if (Array.isArray(value)) return value.length === 0 ? false : null;
  if (typeof value !== 'string' || value.length > MAX_ANSWER_LENGTH) return null;
  const plain = plainOf(value);
  return yes.has(plain) ? true : plain === '' || no.has(plain) ? false : null;
}
