/** A text in the form that recognisers read, and where each of its units stands in the original. */
export interface Normalised {
  readonly text: string;
  /** Place in the original of the unit at `index`. */
  start(index: number): number;
  /** Place in the original behind the unit before `index`. */
  end(index: number): number;
}

// Characters that are written in place of ASCII ones, or that nobody sees. Hangul jamo are put together, as files of some
// systems have them apart, and what JSON has in escapes (\u0039) is read, as many programs write all Korean so.
const SUSPECTS = [
  '[\\u1100-\\u1112][\\u1161-\\u1175][\\u11A8-\\u11C2]?',
  '[\\u00A0\\u00AD\\u034F\\u061C\\u0660-\\u0669\\u06F0-\\u06F9\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180E]',
  '[\\u2000-\\u2015\\u2024\\u202A-\\u202F\\u2043\\u205F-\\u2070\\u2074-\\u2079\\u207B\\u2080-\\u2089\\u208B\\u2212]',
  '[\\u3000\\u3161\\u3164\\u30FC\\uFE00-\\uFE0F\\uFE58\\uFE63\\uFEFF\\uFF01-\\uFF5E\\uFFA0]',
  '\\uD835[\\uDFCE-\\uDFFF]',
  '\\\\u[0-9A-Fa-f]{4}',
  '(?<=[A-Za-z0-9])%40(?=[A-Za-z0-9-]{1,63}\\.)',
].join('|');
const suspect = new RegExp(SUSPECTS);
const suspects = new RegExp(SUSPECTS, 'g');

/** Dashes, minus signs, and the letters and strokes that are typed or recognised in their place. */
const dashes = new Set('\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207B\u208B\u2212\u30FC\u3161\uFE58\uFE63');
const spaces = new Set('\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000');
/** First code points of ten digits. */
const digitRuns = [0x660, 0x6f0, 0x2080, 0x2070];

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
/** What a suspect stands for; nothing for what nobody sees. */
function plain(found: string): string {
  const code = found.charCodeAt(0);
  if (code === BACKSLASH) {
    const char = String.fromCharCode(parseInt(found.slice(2), 16));
    return suspect.test(char) ? plain(char) : char;
  }
  // The @ of a mail address within an address of the web.
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

/** A text of parts of another one and of what stands in the place of others. */
class Rewritten implements Normalised {
  readonly #source: string;
  #text = '';
  /** Where a part begins whose places differ from those before by another number: here, in the source, and where its first unit ends there. */
  readonly #here: number[] = [0];
  readonly #there: number[] = [0];
  readonly #firstEnds: number[] = [1];
  #done = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#text;
  }

  /** Takes over what stands before `from`, and puts `by` in the place of what ends at `to`: one unit or none. */
  put(from: number, to: number, by: string): void {
    this.#text += this.#source.slice(this.#done, from);
    if (by.length > 0 && to - from !== by.length) this.#mark(from, to);
    this.#text += by;
    this.#done = to;
    if (to - from !== by.length) this.#mark(to, to + 1);
  }

  finish(): this {
    this.#text += this.#source.slice(this.#done);
    return this;
  }

  #mark(there: number, firstEnd: number): void {
    if (this.#here.at(-1) === this.#text.length) {
      this.#here.pop();
      this.#there.pop();
      this.#firstEnds.pop();
    }
    this.#here.push(this.#text.length);
    this.#there.push(there);
    this.#firstEnds.push(firstEnd);
  }

  /** The part that a unit stands in. */
  #partOf(index: number): number {
    let [low, high] = [0, this.#here.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#here[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  start(index: number): number {
    const part = this.#partOf(index);
    return (this.#there[part] ?? 0) + index - (this.#here[part] ?? 0);
  }

  end(index: number): number {
    if (index === 0) return 0;
    const part = this.#partOf(index - 1);
    const first = index - 1 === this.#here[part];
    return first ? (this.#firstEnds[part] ?? 0) : (this.#there[part] ?? 0) + index - (this.#here[part] ?? 0);
  }
}

/** Digits that stand one by one, at least five, also with dashes among them: `9 6 0 1 2 1 - 1 2 3 4 5 6 7`. */
const SPACED = /(?<!\d ?)\d(?:(?: | ?- ?)\d(?!\d)){4,}/g;

/** Puts digits that stand one by one together. */
function closeUp(normalised: Normalised): Normalised {
  const closed = new Rewritten(normalised.text);
  for (const { index, 0: digits } of normalised.text.matchAll(SPACED)) {
    for (let at = digits.indexOf(' '); at >= 0; at = digits.indexOf(' ', at + 1))
      closed.put(index + at, index + at + 1, '');
  }
  closed.finish();
  return {
    text: closed.text,
    start: (index) => normalised.start(closed.start(index)),
    end: (index) => normalised.end(closed.end(index)),
  };
}

const asIs = (text: string): Normalised => ({ text, start: (index) => index, end: (index) => index });

function rewrite(text: string): Normalised {
  const rewritten = new Rewritten(text);
  for (const { index, 0: found } of text.matchAll(suspects)) rewritten.put(index, index + found.length, plain(found));
  return rewritten.finish();
}

/**
 * Full-width and other digits, odd dashes and spaces become ASCII, what nobody sees is left out, jamo become syllables, and
 * digits that stand one by one are put together. Takes time in proportion to the text.
 */
export function normalise(text: string): Normalised {
  const plainly = suspect.test(text) ? rewrite(text) : asIs(text);
  return /\d \d \d/.test(plainly.text) ? closeUp(plainly) : plainly;
}
