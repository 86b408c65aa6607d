const syllables = Array.from('가나다라마바사아자차카타파하');
const jamo = Array.from('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ');
const hangulDigits = Array.from('일이삼사오육칠팔구');
const hanjaDigits = Array.from('一二三四五六七八九');
const stems = Array.from('갑을병정무기경신임계');
const hanjaStems = Array.from('甲乙丙丁戊己庚辛壬癸');
const romans: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
/** Larger numbers are only met in damaged files; they are shown as digits. */
const MAX_ROMAN_NUMBER = 3999;

const roman = (value: number): string => {
  if (value > MAX_ROMAN_NUMBER) return String(value);
  let left = value;
  let text = '';
  for (const [worth, letters] of romans)
    while (left >= worth) {
      text += letters;
      left -= worth;
    }
  return text;
};

const inOrder = (letters: readonly string[], value: number): string =>
  letters[(value - 1) % letters.length]!.repeat(Math.min(8, 1 + Math.floor((value - 1) / letters.length)));

/** A run of signs that Unicode has in order; beyond it the number in brackets. */
const signInRun = (first: number, count: number, value: number): string =>
  value <= count ? String.fromCodePoint(first + value - 1) : `(${value})`;

const circled = (value: number): string => {
  if (value <= 20) return String.fromCodePoint(0x2460 + value - 1);
  if (value <= 35) return String.fromCodePoint(0x3251 + value - 21);
  return value <= 50 ? String.fromCodePoint(0x32b1 + value - 36) : `(${value})`;
};

/** 일, 십일, 이십 …: ten is not written as one ten. */
const spelledNumber = (digits: readonly string[], [ten, hundred]: readonly [string, string], value: number): string => {
  if (value > 999) return String(value);
  const part = (digit: number, unit: string): string =>
    digit === 0 ? '' : (digit === 1 ? '' : digits[digit - 1]!) + unit;
  const ones = value % 10;
  return (
    part(Math.floor(value / 100), hundred) +
    part(Math.floor(value / 10) % 10, ten) +
    (ones === 0 ? '' : digits[ones - 1]!)
  );
};

const letterInRun = (first: number, value: number): string =>
  String.fromCodePoint(first + ((value - 1) % 26)).repeat(Math.min(8, 1 + Math.floor((value - 1) / 26)));

const formats: Readonly<Record<number, (value: number) => string>> = {
  1: circled,
  2: roman,
  3: (value) => roman(value).toLowerCase(),
  4: (value) => letterInRun(0x41, value),
  5: (value) => letterInRun(0x61, value),
  6: (value) => signInRun(0x24b6, 26, value),
  7: (value) => signInRun(0x24d0, 26, value),
  8: (value) => inOrder(syllables, value),
  9: (value) => signInRun(0x326e, 14, value),
  10: (value) => inOrder(jamo, value),
  11: (value) => signInRun(0x3260, 14, value),
  12: (value) => spelledNumber(hangulDigits, ['십', '백'], value),
  13: (value) => spelledNumber(hanjaDigits, ['十', '百'], value),
  14: (value) => signInRun(0x3280, 10, value),
  15: (value) => inOrder(stems, value),
  16: (value) => inOrder(hanjaStems, value),
};

/**
 * A number as the document shows it. `kind` is the format's own number of the shape; unknown ones are digits.
 * Source: Hancom, HWP 5.0 revision 1.3, table 43.
 */
export const formatNumber = (value: number, kind: number): string =>
  value < 1 ? String(value) : (formats[kind]?.(value) ?? String(value));
