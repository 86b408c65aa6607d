import { formatNumber } from '../hwp/number-formats.ts';

const digits = (value: number): string => String(value);
const places = '〇一二三四五六七八九';
const koreanPlaces = '영일이삼사오육칠팔구';
const iroha = Array.from(
  'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
);
const aiueo = Array.from(
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
);
const koreanCounting = ['하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉', '열'];

const around = (letters: readonly string[], value: number): string => letters[(value - 1) % letters.length] ?? '';
const digitwise = (letters: string, value: number): string =>
  String(value).replaceAll(/\d/g, (digit) => letters[Number(digit)] ?? digit);
const ordinal = (value: number): string => {
  const tens = value % 100;
  const end = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${end}`;
};

/** How numbers are shown by name of the format. Source: ECMA-376 part 1, 17.18.59. */
const formats: Readonly<Record<string, (value: number) => string>> = {
  decimalZero: (value) => String(value).padStart(2, '0'),
  upperRoman: (value) => formatNumber(value, 2),
  lowerRoman: (value) => formatNumber(value, 3),
  upperLetter: (value) => formatNumber(value, 4),
  lowerLetter: (value) => formatNumber(value, 5),
  ganada: (value) => formatNumber(value, 8),
  chosung: (value) => formatNumber(value, 10),
  decimalEnclosedCircle: (value) => formatNumber(value, 1),
  decimalEnclosedCircleChinese: (value) => formatNumber(value, 1),
  decimalEnclosedFullstop: (value) => (value <= 20 ? String.fromCodePoint(0x2487 + value) : `${value}.`),
  decimalEnclosedParen: (value) => (value <= 20 ? String.fromCodePoint(0x2473 + value) : `(${value})`),
  decimalFullWidth: (value) => digitwise('０１２３４５６７８９', value),
  decimalFullWidth2: (value) => digitwise('０１２３４５６７８９', value),
  koreanDigital: (value) => digitwise(koreanPlaces, value),
  koreanDigital2: (value) => digitwise(places, value),
  koreanCounting: (value) => koreanCounting[value - 1] ?? formatNumber(value, 12),
  koreanLegal: (value) => koreanCounting[value - 1] ?? formatNumber(value, 12),
  chineseCounting: (value) => formatNumber(value, 13),
  chineseCountingThousand: (value) => formatNumber(value, 13),
  japaneseCounting: (value) => formatNumber(value, 13),
  taiwaneseCounting: (value) => formatNumber(value, 13),
  ideographDigital: (value) => digitwise(places, value),
  japaneseDigitalTenThousand: (value) => digitwise(places, value),
  ideographTraditional: (value) => formatNumber(value, 16),
  ideographEnclosedCircle: (value) => formatNumber(value, 14),
  aiueo: (value) => around(aiueo, value),
  aiueoFullWidth: (value) => around(aiueo, value),
  iroha: (value) => around(iroha, value),
  irohaFullWidth: (value) => around(iroha, value),
  ordinal,
  numberInDash: (value) => `- ${value} -`,
  none: () => '',
};

/** A number as Word shows it; formats that are not known are digits. */
export const wordNumber = (value: number, format: string): string =>
  (value < 1 && format !== 'none' ? digits : (formats[format] ?? digits))(value);
