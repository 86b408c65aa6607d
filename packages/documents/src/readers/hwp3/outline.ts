import { u16At } from '../hwp/bytes.ts';
import type { Mark } from '../hwp/numbering.ts';
import { formatNumber } from '../hwp/number-formats.ts';
import { letterText } from './letters.ts';

// Numbers of the outline, as a paragraph shows them. Source: Hancom, HWP document file format 3.0, 개요 번호.

const OUTLINE_LEVELS = 7;
/** Kinds of `formatNumber`, by the kinds of this format. */
const kinds = [0, 2, 3, 4, 5, 8, 10, 13, 1, 7, 9, 11];
const digits = 0;
const [upperRoman, lowerRoman, upperLetter, lowerLetter, syllable] = [2, 3, 4, 5, 8];

/** One level of a ready shape: what numbers it, and the signs around. */
type Level = readonly [kind: number, before: string, after: string];
const level = (kind: number, after = '.', before = ''): Level => [kind, before, after];

const ready: Readonly<Record<number, readonly Level[]>> = {
  3: [
    level(upperRoman),
    level(syllable),
    level(digits),
    level(syllable, ')'),
    level(digits, ')', '('),
    level(syllable, ')', '('),
    level(lowerRoman, ')'),
  ],
  4: [
    level(upperRoman),
    level(upperLetter),
    level(digits),
    level(lowerLetter, ')'),
    level(digits, ')', '('),
    level(lowerLetter, ')', '('),
    level(lowerRoman, ')'),
  ],
  5: [
    level(digits),
    level(syllable),
    level(digits, ')', '('),
    level(syllable, ')', '('),
    level(digits, ')'),
    level(syllable, ')'),
    level(lowerLetter),
  ],
};
const JOINED_WITH_END = 1;
const JOINED_NUMBERS = 2;
const FIRST_BULLET = 128;
const LAST_BULLET = 133;

/** The mark that a control of the outline puts before its paragraph; `data` is what stands between the letters that enclose it. */
export function outlineMark(data: Uint8Array): Mark | null {
  const shape = data[2] ?? 0;
  const depth = Math.min(OUTLINE_LEVELS - 1, data[3] ?? 0);
  const numbers = Array.from({ length: OUTLINE_LEVELS }, (_, at) => Math.max(1, u16At(data, 4 + at * 2)));
  const own = numbers[depth]!;
  if (shape >= FIRST_BULLET && shape <= LAST_BULLET) {
    const sign = shape === FIRST_BULLET ? letterText(u16At(data, 18 + depth * 2)) : '';
    return { text: sign === '' ? '-' : sign, ordered: false, level: depth };
  }
  if (shape === JOINED_WITH_END || shape === JOINED_NUMBERS) {
    const text = numbers.slice(0, depth + 1).join('.');
    return { text: shape === JOINED_WITH_END ? `${text}.` : text, ordered: true, level: depth };
  }
  const [kind, before, after] = ready[shape]?.[depth] ?? [
    kinds[u16At(data, 18 + depth * 2)] ?? digits,
    letterText(u16At(data, 32 + depth * 4)),
    letterText(u16At(data, 34 + depth * 4)),
  ];
  return { text: `${before}${formatNumber(own, kind)}${after}`.replaceAll('\0', ''), ordered: true, level: depth };
}
