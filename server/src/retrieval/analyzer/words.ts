// Words of a text, where they stand, and in which way they are made terms of.

export type WordKind =
  /** Syllables of Hangul. */
  | 'hangul'
  /** Scripts that are written without spaces: Han, kana, Thai and its like. */
  | 'unspaced'
  /** Letters of any other script, and digits among them. */
  | 'letters'
  /** Digits alone. */
  | 'number';

export interface Word {
  readonly kind: WordKind;
  /** Normalised: NFKC, lower case, no marks on Latin letters, no commas within numbers. */
  readonly text: string;
  /** UTF-16 units of the text as it was given. */
  readonly start: number;
  readonly end: number;
  /** Whether another word stands directly before it: 제3조, API를. */
  readonly joined: boolean;
}

const HANGUL = String.raw`\p{Script=Hangul}[\p{Script=Hangul}\p{M}]*`;
const UNSPACED_SCRIPTS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNSPACED = String.raw`[${UNSPACED_SCRIPTS}][${UNSPACED_SCRIPTS}ー々〆\p{M}]*`;
const NUMBER = String.raw`\p{Nd}+(?:[.,]\p{Nd}+)+`;
const OTHER = String.raw`[[\p{L}\p{N}]--[\p{Script=Hangul}${UNSPACED_SCRIPTS}]]`;
const LETTERS = String.raw`${OTHER}[${OTHER}\p{M}]*`;
/** Programming languages and their like, which are nothing without their sign. */
const SIGNED = String.raw`[cCfF]#|[cC]\+\+`;
const WORD = new RegExp(
  `(?<number>${NUMBER})|(?<signed>${SIGNED})(?!\\p{L})|(?<hangul>${HANGUL})|(?<unspaced>${UNSPACED})|(?<letters>${LETTERS})`,
  'gv',
);

/** Longest word of letters that is told apart by all of them; what is longer is data, not language. */
const MAX_WORD_LENGTH = 64;

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Signs that come of taking letters apart: ㉮ is (가). */
const NO_LETTERS = /[^\p{L}\p{N}\p{M}.]+/gu;

function normalise(text: string, kind: WordKind): string {
  if (isAscii(text))
    return (kind === 'number' ? text.replaceAll(',', '') : text.toLowerCase()).slice(0, MAX_WORD_LENGTH);
  if (kind === 'hangul' || kind === 'unspaced') return text.normalize('NFKC').replace(NO_LETTERS, '').toLowerCase();
  const unmarked = text
    .slice(0, 4 * MAX_WORD_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(NO_LETTERS, '');
  return Array.from(unmarked.normalize('NFKC').toLowerCase()).slice(0, MAX_WORD_LENGTH).join('').toWellFormed();
}

function kindOf({ number, hangul, unspaced }: Partial<Record<string, string>>, found: string): WordKind {
  if (hangul !== undefined) return 'hangul';
  if (unspaced !== undefined) return 'unspaced';
  return number !== undefined || /^\p{Nd}+$/u.test(found) ? 'number' : 'letters';
}

/** Words in order. Time grows with the length of the text alone. */
export function* wordsOf(text: string): Generator<Word, undefined> {
  let last = -1;
  for (const { groups = {}, index, 0: found } of text.matchAll(WORD)) {
    const end = index + found.length;
    const kind = kindOf(groups, found);
    const plain = normalise(found, kind);
    if (plain !== '') yield { kind, text: plain, start: index, end, joined: index === last };
    last = end;
  }
}
