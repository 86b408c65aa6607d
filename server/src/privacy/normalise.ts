import { type Survey, hasSpacedDigits, mayBeIrregular, survey } from './survey.ts';

/** A text in the form that recognisers read, with a mapping of its offsets to the original. */
export interface Normalised {
  readonly text: string;
  /** Offset in the original of the unit at `index`. */
  start(index: number): number;
  /** Offset in the original after the unit before `index`. */
  end(index: number): number;
}

// Look-alikes of ASCII characters, and invisible characters. Hangul jamo are composed, as file names of some systems decompose
// them; JSON escapes (\u0039) are decoded, as many programs escape all Korean text.
const REPLACED = [
  '[\\u1100-\\u1112][\\u1161-\\u1175][\\u11A8-\\u11C2]?',
  '[\\u00A0\\u00AD\\u034F\\u061C\\u0660-\\u0669\\u06F0-\\u06F9\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180E]',
  '[\\u2000-\\u2015\\u2024\\u202A-\\u202F\\u2043\\u205F-\\u2070\\u2074-\\u2079\\u207B\\u2080-\\u2089\\u208B\\u2212]',
  '[\\u3000\\u3161\\u3164\\u30FC\\uFE00-\\uFE0F\\uFE58\\uFE63\\uFEFF\\uFF01-\\uFF5E\\uFFA0]',
  '\\uD835[\\uDFCE-\\uDFFF]',
  '\\\\u[0-9A-Fa-f]{4}',
  '(?<=[A-Za-z0-9])%40(?=[A-Za-z0-9-]{1,63}\\.)',
].join('|');
const pattern = new RegExp(REPLACED);
const allPatterns = new RegExp(REPLACED, 'g');

/** Dashes, minus signs, and letters that are typed or recognised instead of them. */
const dashes = new Set('\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207B\u208B\u2212\u30FC\u3161\uFE58\uFE63');
const spaces = new Set('\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000');
/** First code points of runs of ten digits. */
const digitRuns = [0x660, 0x6f0, 0x2080, 0x2070];

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
/** The ASCII or composed form of a match; empty for invisible characters. */
function replacementFor(found: string): string {
  const code = found.charCodeAt(0);
  if (code === BACKSLASH) {
    const char = String.fromCharCode(parseInt(found.slice(2), 16));
    return pattern.test(char) ? replacementFor(char) : char;
  }
  // The escaped @ of a mail address within a URL.
  if (code === PERCENT) return '@';
  if (code === 0xd835) return String((found.charCodeAt(1) - 0xdfce) % 10);
  if (code >= 0x1100 && code <= 0x1112) {
    const trail = found.length > 2 ? found.charCodeAt(2) - 0x11a7 : 0;
    return String.fromCharCode(0xac00 + ((code - 0x1100) * 21 + found.charCodeAt(1) - 0x1161) * 28 + trail);
  }
  if (dashes.has(found)) return '-';
  if (spaces.has(found)) return ' ';
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code === 0x2024) return '.';
  for (const zero of digitRuns) if (code >= zero && code < zero + 10) return String(code - zero);
  return '';
}

/** A text made of parts of a source text and of replacements for other parts. */
class Rewritten implements Normalised {
  readonly #source: string;
  #text = '';
  /** Begins of segments, within which offsets differ from the source by a constant: in this text, in the source, and the source end of their first unit. */
  readonly #starts: number[] = [0];
  readonly #sourceStarts: number[] = [0];
  readonly #firstSourceEnds: number[] = [1];
  #copiedTo = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#text;
  }

  /** Copies the source up to `start`, and replaces the part up to `end` by `replacement`: one unit or none. */
  replace(start: number, end: number, replacement: string): void {
    this.#text += this.#source.slice(this.#copiedTo, start);
    if (replacement.length > 0 && end - start !== replacement.length) this.#beginSegment(start, end);
    this.#text += replacement;
    this.#copiedTo = end;
    if (end - start !== replacement.length) this.#beginSegment(end, end + 1);
  }

  finish(): this {
    this.#text += this.#source.slice(this.#copiedTo);
    return this;
  }

  #beginSegment(sourceStart: number, firstSourceEnd: number): void {
    if (this.#starts.at(-1) === this.#text.length) {
      this.#starts.pop();
      this.#sourceStarts.pop();
      this.#firstSourceEnds.pop();
    }
    this.#starts.push(this.#text.length);
    this.#sourceStarts.push(sourceStart);
    this.#firstSourceEnds.push(firstSourceEnd);
  }

  /** The segment that holds a unit. */
  #segmentOf(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  start(index: number): number {
    const segment = this.#segmentOf(index);
    return (this.#sourceStarts[segment] ?? 0) + index - (this.#starts[segment] ?? 0);
  }

  end(index: number): number {
    if (index === 0) return 0;
    const segment = this.#segmentOf(index - 1);
    const first = index - 1 === this.#starts[segment];
    return first
      ? (this.#firstSourceEnds[segment] ?? 0)
      : (this.#sourceStarts[segment] ?? 0) + index - (this.#starts[segment] ?? 0);
  }
}

/** At least five digits with spaces between, perhaps also dashes: `9 6 0 1 2 1 - 1 2 3 4 5 6 7`. */
const SPACED = /(?<!\d ?)\d(?:(?: | ?- ?)\d(?!\d)){4,}/g;

/** Removes the spaces between single digits. */
function joinSpacedDigits(normalised: Normalised): Normalised {
  const joined = new Rewritten(normalised.text);
  for (const { index, 0: digits } of normalised.text.matchAll(SPACED)) {
    for (let at = digits.indexOf(' '); at >= 0; at = digits.indexOf(' ', at + 1))
      joined.replace(index + at, index + at + 1, '');
  }
  joined.finish();
  return {
    text: joined.text,
    start: (index) => normalised.start(joined.start(index)),
    end: (index) => normalised.end(joined.end(index)),
  };
}

const unchanged = (text: string): Normalised => ({ text, start: (index) => index, end: (index) => index });

function rewrite(text: string): Normalised {
  const rewritten = new Rewritten(text);
  for (const { index, 0: found } of text.matchAll(allPatterns))
    rewritten.replace(index, index + found.length, replacementFor(found));
  return rewritten.finish();
}

/**
 * Normalises a text that was surveyed: full-width and other digits, unusual dashes and spaces become ASCII, invisible characters are dropped, jamo
 * become syllables, and single digits with spaces between are joined. Takes time in proportion to the text.
 */
export function normalise(text: string, seen: Survey = survey(text)): Normalised {
  if (mayBeIrregular(text, seen) && pattern.test(text)) {
    const replaced = rewrite(text);
    return hasSpacedDigits(survey(replaced.text)) ? joinSpacedDigits(replaced) : replaced;
  }
  return hasSpacedDigits(seen) ? joinSpacedDigits(unchanged(text)) : unchanged(text);
}
