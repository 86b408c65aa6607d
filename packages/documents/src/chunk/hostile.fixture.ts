const pieces = {
  'a short word again and again': 'a@',
  'one letter': 'a',
  'capital letters': 'A',
  'Hangul without blanks': '가나다라마바사',
  'combining marks': 'e\u0301\u0323',
  'marks alone': '\u0301',
  'sequences of emoji': '👩‍👩‍👧‍👦',
  'signs with emoji between': '!😀',
  'signs with controls between': '!\u0001',
  'ends of lines with slashes between': '\n/',
  apostrophes: "a'",
  base64: 'QUJD+/9k0aGVsbG8gd29ybGQ',
  digits: '1234567',
  blanks: ' ',
  'blanks of two kinds': ' \u2003',
  'first halves of pairs': '\ud83d',
  'second halves of pairs': '\udc00',
  'a control token': '<|endoftext|>',
};

const repeated = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Texts of so many units that nobody would write: long words, and short ones again and again. */
export const hostileTexts = (length: number): ReadonlyMap<string, string> =>
  new Map(Object.entries(pieces).map(([name, piece]) => [name, repeated(piece, length)]));

/** Units of the longest text that a caller may send. */
export const MAX_TEXT_LENGTH = 2_000_000;

/** The same as long as a text may be, one at a time: together they take much memory. */
export function* longestHostileTexts(): Generator<readonly [name: string, text: string]> {
  for (const [name, piece] of Object.entries(pieces)) yield [name, repeated(piece, MAX_TEXT_LENGTH)];
}
