import iconv from 'iconv-lite';

// Letters of HWP 3: 16 bits each. Hangul are in the combining code of KS X 1001 (annex 3): three parts of five bits below the
// highest. Signs and Chinese characters are those of KS X 1001 in their order. Source: Hancom, HWP document file format 3.0.

/** What is not known in one of the codes. */
const none = -1;
const initials = [none, none, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
const medials = [none, none, none, 0, 1, 2, 3, 4, none, none, 5, 6, 7, 8, 9, 10].concat([
  none,
  none,
  11,
  12,
  13,
  14,
  15,
  16,
  none,
  none,
  17,
  18,
  19,
  20,
]);
const finals = [none, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].concat([
  none,
  17,
  18,
  19,
  20,
  21,
  22,
  23,
  24,
  25,
  26,
  27,
]);
/** Numbers of parts that are not there. */
const NO_INITIAL = 1;
const NO_MEDIAL = 2;
const NO_FINAL = 1;
/** The old vowel between 아 and 어; with it a syllable is written letter by letter. */
const ARAEA_VOWEL = 30;

const initialLetters = Array.from('ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ');
const finalLetters = Array.from('ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ');

function hangul(code: number): string {
  const [first, second, third] = [(code >> 10) & 31, (code >> 5) & 31, code & 31];
  const initial = initials[first] ?? none;
  const medial = medials[second] ?? none;
  const final = finals[third] ?? none;
  if (initial !== none && medial !== none && final !== none)
    return String.fromCodePoint(0xac00 + (initial * 21 + medial) * 28 + final);
  if (initial !== none && second === ARAEA_VOWEL && final !== none)
    return String.fromCodePoint(0x1100 + initial, 0x119e, ...(final === 0 ? [] : [0x11a7 + final]));
  if (initial !== none && second === NO_MEDIAL && third === NO_FINAL) return initialLetters[initial] ?? '';
  if (first === NO_INITIAL && second === ARAEA_VOWEL && third === NO_FINAL) return 'ㆍ';
  if (first === NO_INITIAL && medial !== none && third === NO_FINAL) return String.fromCodePoint(0x314f + medial);
  if (first === NO_INITIAL && second === NO_MEDIAL && final > 0) return finalLetters[final - 1] ?? '';
  return '';
}

const FIRST_SIGN = 0x3400;
const SIGN_ROWS = 10;
const SIGN_ROW = 0x60;
const FIRST_HANJA = 0x4000;
const HANJA_COUNT = 4888;
/** Signs in a row of KS X 1001. */
const ROW_CELLS = 94;

const standardText = (bytes: readonly number[]): string => iconv.decode(Buffer.from(bytes), 'cp949');

/** The signs of KS X 1001 by row and column; empty where it has none. */
const signs = Array.from({ length: SIGN_ROWS * SIGN_ROW }, (_, at) => {
  const column = at % SIGN_ROW;
  if (column === 0 || column > ROW_CELLS) return '';
  const text = standardText([0xa1 + Math.floor(at / SIGN_ROW), 0xa0 + column]);
  return text.includes('\ufffd') ? '' : text;
});
/** Its Chinese characters in their order. */
const hanja = Array.from(
  standardText(
    Array.from({ length: HANJA_COUNT }, (_, at) => [0xca + Math.floor(at / ROW_CELLS), 0xa1 + (at % ROW_CELLS)]).flat(),
  ),
);

/** Signs of the format's own, as Hancom Office shows them in documents that it has converted. */
const own: Readonly<Record<number, string>> = {
  0x81: '“',
  0x82: '”',
  0x83: '‘',
  0x84: '’',
  0x2f06: '■',
  0x2f11: '◦',
  0x2f17: '•',
  0x2f67: '▸',
  0x301c: '─',
  0x303d: '■',
  0x3366: '□',
  0x37ed: '═',
};
/** Runs of such signs that Unicode has in the same order. */
const runs: readonly (readonly [first: number, count: number, sign: number])[] = [
  [0x2000, 0x300, 0x2000],
  [0x2c21, 26, 0x24d0],
  [0x2c40, 14, 0x3260],
  [0x2e01, 9, 0x2460],
];

function ownSign(code: number): string {
  const run = runs.find(([first, count]) => code >= first && code < first + count);
  return own[code] ?? (run === undefined ? '' : String.fromCodePoint(run[2] + code - run[0]));
}

/** The text of a letter; empty for one that is not known. */
export function letterText(code: number): string {
  if (code < 0x80) return String.fromCodePoint(code);
  if (code >= 0x8000) return hangul(code);
  return signs[code - FIRST_SIGN] || hanja[code - FIRST_HANJA] || ownSign(code);
}

/** Letters of two bytes up to the first zero. */
export function letterString(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const code = bytes[at]! | (bytes[at + 1]! << 8);
    if (code === 0) break;
    text += letterText(code);
  }
  return text;
}

/** A name whose letters are one byte each, and two where the first is above 127, up to the first zero. */
export function byteString(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0) break;
    text += byte < 0x80 ? String.fromCodePoint(byte) : hangul((byte << 8) | (bytes[++at] ?? 0));
  }
  return text;
}
