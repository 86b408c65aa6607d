// Words of lists are looked for beside each number. What stands there is looked through once for all lists: where words of any may begin.
// The words of a list are then compared at those places alone, which takes a fraction of the time of a pattern of all of them.

const isAscii = (word: string) => /^[\x20-\x7e]+$/.test(word);
const isLetter = (unit: number) => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

/** Small and capital letters of ASCII are the same; no other letters of the words have both. */
const foldCase = (unit: number) => (unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit);
const folded = (word: string) => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** In place of a space between words. */
const separators = [' ', '_', '-', ''];

/** A word in all its notations. */
const notationsOf = (word: string): string[] =>
  word
    .split(' ')
    .reduce<string[]>(
      (starts, part, i) => (i === 0 ? [part] : starts.flatMap((start) => separators.map((by) => start + by + part))),
      [],
    );

/** Lists of words so far. Those beyond the bits of a number share the last one. */
let listCount = 0;
const MAX_LISTS = 31;
/** Bits of the lists that have a word of one unit, by that unit; and of those with a word that begins with two, by both. */
const singleBeginnings = new Uint32Array(65_536);
const pairBeginnings = new Uint32Array(65_536);
/** A bit for each unit that words begin with: few kB, which stay near the processor where those tables do not. */
const beginsWord = new Uint32Array(65_536 / 32);

const mayBeginWord = (unit: number): boolean => ((beginsWord[unit >> 5] as number) & (1 << (unit & 31))) !== 0;
/** Place of a pair of units. Pairs may share one, which costs a comparison that finds nothing. */
const placeOf = (first: number, second: number) => (Math.imul(first, 0x9e37) + second) & 0xffff;

/** A text that was looked through for the beginnings of words. */
export interface LookedThrough {
  readonly text: string;
  /** The lists of which a word may stand in it, as bits: all others certainly have none. */
  readonly lists: number;
  /** Where words may begin, ascending. */
  readonly places: readonly number[];
  /** Whether it has names such as `bankAccount`. */
  readonly hasJoinedNames: boolean;
}

const NOWHERE: readonly number[] = [];

/** Looks through a text for the beginnings of words of all lists. */
export function lookThrough(text: string): LookedThrough {
  let lists = 0;
  let last = 0;
  let lastUnit = 0;
  let places: number[] | null = null;
  let hasJoinedNames = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const code = foldCase(unit);
    if (code !== unit && lastUnit >= 0x61 && lastUnit <= 0x7a) hasJoinedNames = true;
    if (mayBeginWord(last)) {
      const found = pairBeginnings[placeOf(last, code)] as number;
      lists |= found;
      if (found !== 0 && places?.at(-1) !== at - 1) (places ??= []).push(at - 1);
    }
    if (mayBeginWord(code)) {
      const found = singleBeginnings[code] as number;
      lists |= found;
      if (found !== 0) (places ??= []).push(at);
    }
    last = code;
    lastUnit = unit;
  }
  return { text, lists, places: places ?? NOWHERE, hasJoinedNames };
}

/** A notation of a word in small letters; those of ASCII alone are whole words, others may stand within words. */
interface Notation {
  readonly text: string;
  readonly isWhole: boolean;
}

function standsAt({ text: word, isWhole }: Notation, text: string, at: number): boolean {
  for (let i = 0; i < word.length; i++)
    if (foldCase(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  return !isWhole || !(isLetter(text.charCodeAt(at - 1)) || isLetter(text.charCodeAt(at + word.length)));
}

/** A list of words, found in any case. At one place the longest word counts, and words do not overlap. */
export class WordList {
  readonly #bit = 1 << Math.min(listCount++, MAX_LISTS);
  readonly #byPair = new Map<number, Notation[]>();
  readonly #byUnit = new Map<number, Notation[]>();

  constructor(words: readonly string[]) {
    for (const word of words.toSorted((a, b) => b.length - a.length))
      for (const text of notationsOf(folded(word))) this.#add({ text, isWhole: isAscii(word) });
  }

  #add(notation: Notation): void {
    const [first, second] = [notation.text.charCodeAt(0), notation.text.charCodeAt(1)];
    beginsWord[first >> 5] = (beginsWord[first >> 5] ?? 0) | (1 << (first & 31));
    const isSingle = notation.text.length === 1;
    const place = isSingle ? first : placeOf(first, second);
    const table = isSingle ? singleBeginnings : pairBeginnings;
    table[place] = (table[place] ?? 0) | this.#bit;
    const words = isSingle ? this.#byUnit : this.#byPair;
    words.set(place, [...(words.get(place) ?? []), notation]);
  }

  /** Whether a word of the list may stand in a text. */
  mayStandIn({ lists }: LookedThrough): boolean {
    return (lists & this.#bit) !== 0;
  }

  /** Where the last word from `from` on ends; null where there is none. */
  lastEndIn({ text, places }: LookedThrough, from: number): number | null {
    let end: number | null = null;
    for (const place of places) {
      if (place < (end ?? from)) continue;
      const length = this.#lengthAt(text, place);
      if (length > 0) end = place + length;
    }
    return end;
  }

  /** Where the first word begins; null where there is none. */
  firstStartIn({ text, places }: LookedThrough): number | null {
    for (const place of places) if (this.#lengthAt(text, place) > 0) return place;
    return null;
  }

  /** The length of the word at a place; 0 where there is none. */
  #lengthAt(text: string, at: number): number {
    const first = foldCase(text.charCodeAt(at));
    const words = this.#byPair.get(placeOf(first, foldCase(text.charCodeAt(at + 1))));
    if (words) for (const word of words) if (standsAt(word, text, at)) return word.text.length;
    const single = this.#byUnit.get(first);
    if (single) for (const word of single) if (standsAt(word, text, at)) return word.text.length;
    return 0;
  }
}
