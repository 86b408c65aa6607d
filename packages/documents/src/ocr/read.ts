import type { Core } from './core.ts';
import type { GreyImage } from './grey.ts';
import { type Letter, type Reading, type RecognisedLine, recognise } from './recognise.ts';
import type { Region } from './regions.ts';

// In which language a place is read: Korean pages have English words and numbers in them, which are read again on their own, and
// English pages need no Korean.

const korean = /[\p{Script=Hangul}\p{Script=Han}]/u;
/** Regions, the widest first, by which the language of a page is found, and the letters that this takes. */
const LANGUAGE_SAMPLE_REGIONS = 8;
const MIN_SAMPLE_LETTERS = 80;
/** A smaller share of Korean letters is mistakes: the page is English. */
const MIN_KOREAN_SHARE = 0.03;
/** Words at this confidence are not read a second time; English lines below the other are read as Korean too. */
const MIN_CLEAR_CONFIDENCE = 0.93;
const MIN_ENGLISH_CONFIDENCE = 0.75;
/** Words of a page that are read a second time at most. */
const MAX_REREAD_WORDS = 400;

const meanOf = (letters: readonly Letter[]) =>
  letters.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, letters.length);

/** Stretches of a line without Korean, of two letters or more: from, to (outside). */
function nonKoreanStretches(letters: readonly Letter[]): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  let from = 0;
  for (let at = 0; at <= letters.length; at++) {
    const letter = letters[at];
    if (letter !== undefined && !korean.test(letter.text) && !(letter.spaced && at > from)) continue;
    if (at > from) found.push([from, at]);
    from = letter === undefined || korean.test(letter.text) ? at + 1 : at;
  }
  return found.filter(
    ([start, end]) => letters.slice(start, end).filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length >= 2,
  );
}

/** Reads pages with the languages that they turn out to have. */
export class PageReader {
  readonly #all: Reading;
  readonly #english: Reading | null;
  readonly #image: GreyImage;
  readonly #isSpent: () => boolean;
  #words = 0;
  /** True when regions were left out because the time of the page had run out. */
  isCut = false;

  /** `isSpent`: whether the page has had its time; no further place is read then. */
  constructor({ all, english, module, memory }: Core, image: GreyImage, isSpent: () => boolean) {
    this.#all = { api: all, module, memory };
    this.#english = english === null ? null : { api: english, module, memory };
    this.#image = image;
    this.#isSpent = isSpent;
  }

  /** Lines of all places of a page. */
  read(regions: readonly Region[]): RecognisedLine[] {
    if (this.#english === null) return regions.flatMap((region) => this.#one(this.#all, region));
    const order = regions.toSorted((a, b) => b.x1 - b.x0 - (a.x1 - a.x0));
    const lines = order.slice(0, LANGUAGE_SAMPLE_REGIONS).flatMap((region) => this.#mixed(region));
    const letters = lines.flatMap((line) => line.letters);
    const share = letters.filter(({ text }) => korean.test(text)).length / Math.max(1, letters.length);
    const english = letters.length >= MIN_SAMPLE_LETTERS && share < MIN_KOREAN_SHARE;
    for (const region of order.slice(LANGUAGE_SAMPLE_REGIONS))
      for (const line of english ? this.#latin(region, this.#english) : this.#mixed(region)) lines.push(line);
    return lines;
  }

  /** Nothing once the page has had its time. */
  #one(reading: Reading, region: Region): RecognisedLine[] {
    if (!this.#isSpent()) return recognise(reading, this.#image, region);
    this.isCut = true;
    return [];
  }

  #latin(region: Region, english: Reading): RecognisedLine[] {
    const lines = this.#one(english, region);
    const clear = meanOf(lines.flatMap(({ letters }) => letters));
    if (lines.length > 0 && clear >= MIN_ENGLISH_CONFIDENCE) return lines;
    const other = this.#one(this.#all, region);
    return meanOf(other.flatMap(({ letters }) => letters)) > clear ? other : lines;
  }

  #mixed(region: Region): RecognisedLine[] {
    const lines = this.#one(this.#all, region);
    if (region.letters) return lines;
    return lines.map((line) => (line.letters.some(({ text }) => korean.test(text)) ? this.#again(line) : line));
  }

  /** A Korean line with its English words and its numbers as English reads them, where that is clearer. */
  #again(line: RecognisedLine): RecognisedLine {
    const english = this.#english;
    const letters = [...line.letters];
    for (const [from, to] of nonKoreanStretches(line.letters).toReversed()) {
      const word = line.letters.slice(from, to);
      if (english === null || meanOf(word) >= MIN_CLEAR_CONFIDENCE || this.#words >= MAX_REREAD_WORDS) continue;
      this.#words++;
      const [before, after] = [line.letters[from - 1], line.letters[to]];
      const region: Region = {
        x0: Math.max(word[0]!.x0 - 3, (before?.x1 ?? -Infinity) + 1),
        x1: Math.min(word.at(-1)!.x1 + 3, (after?.x0 ?? Infinity) - 1),
        y0: line.y0,
        y1: line.y1,
        several: false,
      };
      if (region.x1 - region.x0 < 4) continue;
      const found = this.#one(english, region).flatMap((one) => one.letters);
      if (found.length === 0 || meanOf(found) <= meanOf(word)) continue;
      letters.splice(
        from,
        to - from,
        ...found.map((one, at) => (at === 0 ? { ...one, spaced: word[0]!.spaced } : one)),
      );
    }
    return { ...line, letters, confidence: meanOf(letters) };
  }
}
