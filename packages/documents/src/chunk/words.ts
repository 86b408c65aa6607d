// Encodings cut a text into words by a pattern and merge the bytes of each by itself, in a time that grows with the square of the
// word. Here stands where words surely end, so that a text can be taken in pieces, and words of any length.

/** What a unit can be for the patterns of the encodings. Halves of pairs may be anything but blanks. */
const [OTHER, LETTER, MARK, DIGIT, BLANK, LINE_END, SLASH, APOSTROPHE, HALF] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Kinds by unit. Categories that mean nothing in Unicode stay OTHER, as in the patterns. */
function readKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  const units = Array.from(kinds, (_, unit) => String.fromCharCode(unit)).join('');
  for (const [pattern, kind] of [
    [/\p{L}/gu, LETTER],
    [/\p{M}/gu, MARK],
    [/\p{N}/gu, DIGIT],
    [/\s/gu, BLANK],
    [/[\r\n]/gu, LINE_END],
    [/\//gu, SLASH],
    [/'/gu, APOSTROPHE],
  ] as const)
    for (const { index } of units.matchAll(pattern)) kinds[index] = kind;
  return kinds.fill(HALF, 0xd800, 0xe000);
}

/** Kinds by unit, read when a text is first cut: it takes 20 ms, and every process of the service loads this file. */
const kindsByUnit = (() => {
  let kinds: Uint8Array | undefined;
  return () => (kinds ??= readKinds());
})();

/** How much before a unit may be of one word with it. */
const [NOTHING, ONE_UNIT, ALL] = [0, 1, 2];

/** What of before a unit may be of its word. Source: the patterns of o200k_base and cl100k_base; in doubt, more. */
function wordReach(before: number, kind: number): number {
  if (before === DIGIT || kind === DIGIT) {
    const other = before === DIGIT ? kind : before;
    return other === DIGIT || other === HALF ? ALL : NOTHING;
  }
  if (before === LINE_END) return kind === LINE_END || kind === BLANK || kind === SLASH ? ALL : NOTHING;
  // Of blanks the last one alone goes with what is behind them.
  if (before === BLANK) return kind === LINE_END || kind === BLANK ? ALL : ONE_UNIT;
  if (kind === BLANK) return NOTHING;
  if (before === LETTER) return kind === OTHER || kind === SLASH || kind === LINE_END ? NOTHING : ALL;
  return kind === LETTER && (before === OTHER || before === SLASH) ? ONE_UNIT : ALL;
}

/**
 * Longest word whose tokens are counted as a whole, in UTF-16 units; those of a longer one are counted piece by piece. Whole groups of
 * three, in which digits are taken.
 */
export const MAX_WORD_LENGTH = 255;
/** Units after which a part ends with the next word that surely does; after twice as many with any that may. */
const PART_LENGTH = 20_000;

const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** Cuts a text behind words, and, once a part has so many units, words that are too long. */
function* splitWords(text: string, minLength: number): Generator<string> {
  const kinds = kindsByUnit();
  let from = 0;
  let word = 0;
  let before = -1;
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)] ?? OTHER;
    const back = before < 0 ? NOTHING : wordReach(before, kind);
    word = back === ALL ? word + 1 : back + 1;
    const length = at - from;
    const tooLong = word > MAX_WORD_LENGTH && !isPair(text, at);
    // The patterns look at what is behind blanks.
    const ends =
      length >= PART_LENGTH && ((back === NOTHING && before !== BLANK) || (back !== ALL && length >= 2 * PART_LENGTH));
    if (tooLong || ends) word = 1;
    if (ends || (tooLong && length >= minLength)) {
      yield text.slice(from, at);
      from = at;
    }
    before = kind;
  }
  if (from < text.length) yield text.slice(from);
}

/** A text in parts of some 20,000 units whose tokens, counted each by itself, add up to those of the text. */
export const partsOf = (text: string): Generator<string> => splitWords(text, PART_LENGTH);

/** A text in parts that hold no longer words than MAX_WORD_LENGTH; cut, never within a pair of surrogates, where it has longer ones. */
export const splitLongWords = (text: string): Generator<string> => splitWords(text, 0);
