/** A text in the form that recognisers read, and where each of its units stands in the original. */
export interface Normalised {
  readonly text: string;
  /** Place in the original of the unit at `index`. */
  start(index: number): number;
  /** Place in the original behind the unit before `index`. */
  end(index: number): number;
}

// Characters that are written in place of ASCII ones, or that nobody sees. Hangul jamo are put together, as files of some
// systems have them apart.
const SUSPECT = new RegExp(
  [
    '[\\u00A0\\u00AD\\u034F\\u061C\\u0660-\\u0669\\u06F0-\\u06F9\\u1100-\\u1112\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180E]',
    '[\\u2000-\\u2015\\u2024\\u2028-\\u202F\\u2043\\u205F-\\u2070\\u2074-\\u2079\\u207B\\u2080-\\u2089\\u208B\\u2212]',
    '[\\u3000\\u3161\\u3164\\u30FC\\uFE00-\\uFE0F\\uFE58\\uFE63\\uFEFF\\uFF01-\\uFF5E\\uFFA0]',
    '\\uD835[\\uDFCE-\\uDFFF]',
    '[0-9] [0-9] [0-9]',
  ].join('|'),
);

const HYPHEN = '-';
/** Dashes, minus signs, and the letters and strokes that are typed or recognised in their place. */
const dashes = new Set('\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u207B\u208B\u2212\u30FC\u3161\uFE58\uFE63\uFF0D');
const spaces = new Set('\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000');

const isHidden = (code: number) =>
  code === 0xad ||
  code === 0x34f ||
  code === 0x61c ||
  code === 0x115f ||
  code === 0x1160 ||
  code === 0x17b4 ||
  code === 0x17b5 ||
  (code >= 0x180b && code <= 0x180e) ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0x3164 ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  code === 0xfeff ||
  code === 0xffa0;

/** First code points of ten digits. */
const digitRuns = [0x660, 0x6f0, 0x2080];

/** What a unit stands for: itself, another, or nothing. */
function plain(char: string, code: number): string {
  if (code < 0x80) return char;
  if (code >= 0xac00 && code <= 0xd7a3) return char;
  if (isHidden(code)) return '';
  if (dashes.has(char)) return HYPHEN;
  if (spaces.has(char)) return ' ';
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code === 0x2024) return '.';
  for (const zero of digitRuns) if (code >= zero && code < zero + 10) return String(code - zero);
  if (code === 0x2070 || (code >= 0x2074 && code <= 0x2079)) return String(code - 0x2070);
  return char;
}

const LEAD = 0x1100;
const VOWEL = 0x1161;
const TRAIL = 0x11a7;

/** Units of the syllable that begins with a jamo, and the syllable; null where none does. */
function syllable(text: string, at: number): { readonly char: string; readonly units: number } | null {
  const lead = text.charCodeAt(at) - LEAD;
  const vowel = text.charCodeAt(at + 1) - VOWEL;
  if (!(lead >= 0 && lead < 19 && vowel >= 0 && vowel < 21)) return null;
  const trail = text.charCodeAt(at + 2) - TRAIL;
  const closed = trail > 0 && trail < 28;
  return {
    char: String.fromCharCode(0xac00 + (lead * 21 + vowel) * 28 + (closed ? trail : 0)),
    units: closed ? 3 : 2,
  };
}

/** Text that grows unit by unit, with where each came from. */
class Growing {
  readonly #units: string[] = [];
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;

  constructor(most: number) {
    this.#starts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  add(char: string, from: number, to: number): void {
    this.#units.push(char);
    this.#starts[this.#length] = from;
    this.#ends[this.#length] = to;
    this.#length++;
  }

  done(): Normalised {
    const [starts, ends] = [this.#starts, this.#ends];
    return { text: this.#units.join(''), start: (i) => starts[i] ?? 0, end: (i) => ends[i - 1] ?? 0 };
  }
}

function rewrite(text: string): Normalised {
  const grown = new Growing(text.length);
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const whole = code >= LEAD && code < LEAD + 19 ? syllable(text, at) : null;
    if (whole) {
      grown.add(whole.char, at, at + whole.units);
      at += whole.units;
      continue;
    }
    const second = text.charCodeAt(at + 1);
    if (code === 0xd835 && second >= 0xdfce && second <= 0xdfff) {
      grown.add(String((second - 0xdfce) % 10), at, at + 2);
      at += 2;
      continue;
    }
    const char = plain(text.charAt(at), code);
    if (char !== '') grown.add(char, at, at + 1);
    at++;
  }
  return grown.done();
}

/** Digits that stand one by one, at least five, also with dashes among them: `9 6 0 1 2 1 - 1 2 3 4 5 6 7`. */
const SPACED = /(?<!\d ?)\d(?:(?: | ?- ?)\d(?!\d)){4,}/g;

/** Puts digits that stand one by one together. */
function closeUp(normalised: Normalised): Normalised {
  const { text } = normalised;
  const grown = new Growing(text.length);
  let done = 0;
  const copy = (to: number, left: (char: string) => boolean) => {
    for (; done < to; done++) {
      const char = text.charAt(done);
      if (!left(char)) grown.add(char, normalised.start(done), normalised.end(done + 1));
    }
  };
  for (const found of text.matchAll(SPACED)) {
    copy(found.index, () => false);
    copy(found.index + found[0].length, (char) => char === ' ');
  }
  copy(text.length, () => false);
  return grown.done();
}

const asIs = (text: string): Normalised => ({ text, start: (i) => i, end: (i) => i });

/**
 * Full-width and other digits, odd dashes and spaces become ASCII, what nobody sees is left out, jamo become syllables, and
 * digits that stand one by one are put together. Takes time in proportion to the text.
 */
export function normalise(text: string): Normalised {
  if (!SUSPECT.test(text)) return asIs(text);
  const plainly = rewrite(text);
  return /\d \d \d/.test(plainly.text) ? closeUp(plainly) : plainly;
}
