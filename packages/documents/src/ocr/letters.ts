import type { Letter, RecognisedLine } from './recognise.ts';

// The engine says where letters are, not how large their type is, and it parts words of Korean by what it has learnt more than by
// what it sees. Both are mended here, by the places of the letters.

const syllable = /^[\p{Script=Hangul}\p{Script=Han}]$/u;
const tallLetter = /^[A-Z0-9bdfhkl]$/;
const lowLetter = /^[acemnorsuvwxz]$/;

/** Heights of ink as shares of the size of type. */
const SYLLABLE_HEIGHT_EM = 0.9;
const TALL_LETTER_HEIGHT_EM = 0.72;
const LOW_LETTER_HEIGHT_EM = 0.53;

const quantile = (values: readonly number[], share = 0.5): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** Size of the type of a line, in pixels. */
export function typeSize({ letters, y0, y1 }: RecognisedLine): number {
  const of = (pattern: RegExp) =>
    letters.filter(({ text }) => pattern.test(text)).map((letter) => letter.y1 - letter.y0);
  const [syllables, capitals, smalls] = [of(syllable), of(tallLetter), of(lowLetter)];
  if (syllables.length > 0 && syllables.length * 2 >= capitals.length)
    return quantile(syllables, 0.7) / SYLLABLE_HEIGHT_EM;
  if (capitals.length > 0) return quantile(capitals) / TALL_LETTER_HEIGHT_EM;
  return smalls.length > 0 ? quantile(smalls) / LOW_LETTER_HEIGHT_EM : (y1 - y0) / 0.9;
}

/** Sizes that differ by a smaller share are one: measured sizes are not exact. */
const MAX_SIZE_DIFFERENCE_SHARE = 0.13;

/** Sizes of lines, alike ones made the same: the most frequent first, by letters. */
export function evenSizes(lines: readonly RecognisedLine[]): number[] {
  const sizes = lines.map((line) => typeSize(line.like ?? line));
  const result: number[] = Array.from({ length: lines.length }, () => 0);
  const left = new Set(lines.keys());
  while (left.size > 0) {
    const weights = [...left]
      .map((at) => ({ size: sizes[at]!, letters: lines[at]!.letters.length }))
      .toSorted((a, b) => a.size - b.size);
    const half = weights.reduce((sum, { letters }) => sum + letters, 0) / 2;
    let sum = 0;
    const main = weights.find(({ letters }) => (sum += letters) >= half)!.size;
    for (const at of left)
      if (Math.abs(sizes[at]! - main) <= MAX_SIZE_DIFFERENCE_SHARE * main) {
        result[at] = main;
        left.delete(at);
      }
  }
  return result;
}

/** Letters that overlap further have wrong boxes. */
const MAX_LETTER_OVERLAP_EM = 0.2;

const widthOf = (text: string) => (syllable.test(text) ? 1 : /[\p{L}\p{N}]/u.test(text) ? 0.55 : 0.3);

/** A word whose boxes overlap, with its letters side by side: the engine knows their order, and not always their places. */
function sideBySide(word: readonly Letter[], size: number): readonly Letter[] {
  const wrong = word.some((letter, at) => at > 0 && letter.x0 < word[at - 1]!.x1 - MAX_LETTER_OVERLAP_EM * size);
  if (!wrong) return word;
  const from = Math.min(...word.map(({ x0 }) => x0));
  const to = Math.max(...word.map(({ x1 }) => x1));
  const all = word.reduce((sum, { text }) => sum + widthOf(text), 0);
  let x = from;
  return word.map((letter) => {
    const x0 = x;
    x += ((to - from) * widthOf(letter.text)) / all;
    return { ...letter, x0, x1: x };
  });
}

/** Letters in their order from left to right. */
export function lettersInOrder(letters: readonly Letter[], size: number): Letter[] {
  const result: Letter[] = [];
  for (let from = 0; from < letters.length;) {
    const next = letters.findIndex(({ spaced }, at) => at > from && spaced);
    const to = next === -1 ? letters.length : next;
    for (const letter of sideBySide(letters.slice(from, to), size)) {
      const least = result.at(-1)?.x0 ?? -Infinity;
      const x0 = Math.max(letter.x0, least + 0.5);
      result.push({ ...letter, x0, x1: Math.max(x0 + 0.5, letter.x1) });
    }
    from = to;
  }
  return result;
}

/** A narrower syllable was not seen whole. */
const MIN_SYLLABLE_WIDTH_EM = 0.55;
/** White between syllables of one word at most, and between words at least. */
const MAX_GAP_WITHIN_WORD_EM = 0.12;
const MIN_GAP_BETWEEN_WORDS_EM = 0.34;

const latin = /^[A-Za-z]$/;
/** White between letters of one English word at most. */
const MAX_LATIN_LETTER_GAP_EM = 0.09;

/** Letters with the blanks between Korean words where the white is. */
export function mendedSpaces(letters: readonly Letter[], size: number): Letter[] {
  const gaps = letters.map(({ x0 }, at) => (at === 0 ? 0 : x0 - letters[at - 1]!.x1) / size);
  const inner = gaps.filter(
    (_, at) => at > 0 && syllable.test(letters[at]!.text) && syllable.test(letters[at - 1]!.text),
  );
  // Letters may be set apart along the whole line.
  const usual = inner.length < 4 ? 0 : Math.max(0, quantile(inner, 0.3));
  return letters.map((letter, at) => {
    const before = letters[at - 1];
    if (before === undefined) return letter;
    const gap = gaps[at]!;
    if (syllable.test(letter.text) && syllable.test(before.text)) {
      if (letter.spaced && gap < usual + 0.04 && gap < MAX_GAP_WITHIN_WORD_EM) return { ...letter, spaced: false };
      const whole = [before, letter].every(({ x0, x1 }) => x1 - x0 > MIN_SYLLABLE_WIDTH_EM * size);
      if (!letter.spaced && whole && gap > usual + MIN_GAP_BETWEEN_WORDS_EM) return { ...letter, spaced: true };
    } else if (latin.test(letter.text) && latin.test(before.text) && letter.spaced && gap < MAX_LATIN_LETTER_GAP_EM)
      return { ...letter, spaced: false };
    return letter;
  });
}
