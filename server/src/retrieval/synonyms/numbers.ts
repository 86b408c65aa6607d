// Numbers as they are written: amounts of money in digits and in words, units in letters and in Hangul, places of laws.

/** Values of the words that follow digits. */
const tens: Readonly<Record<string, number>> = { 십: 1e1, 백: 1e2, 천: 1e3 };
const myriads: Readonly<Record<string, number>> = { 만: 1e4, 억: 1e8, 조: 1e12 };

/** 조 that begins a word of its own: 조치, 조항, 조건, 조직, 조사, 조합. */
const OTHER_WORD = '[치항건직사합정각류]';

/** Digits with words of size between: 1억 5천만, 2.5억, 30만. At least one word. */
const AMOUNT = new RegExp(
  String.raw`(?<!\d|[.,])\d[\d,]*(?:\.\d+)?\s*(?:[십백천]?\s*(?:[만억]|조(?!${OTHER_WORD}))(?:\s*\d[\d,]*(?:\.\d+)?\s*[십백천]?\s*[만억조]?)*(?:\s*원)?|[백천]\s*원)`,
  'gu',
);
const DIGITS = /(?<!\d|[.,])(?:\d{1,3}(?:,\d{3})+|\d{5,15})(?!\d|[.,]\d)(?:\s*원)?/g;

/** The value of an amount in words; null for one that is none. */
function valueOf(amount: string): number | null {
  let total = 0;
  let part = 0;
  for (const [, digits = '', small = '', large = ''] of amount.matchAll(
    /(\d[\d,]*(?:\.\d+)?)\s*([십백천]?)\s*([만억조]?)/gu,
  )) {
    part += Number(digits.replaceAll(',', '')) * (tens[small] ?? 1);
    if (large === '') continue;
    total += part * (myriads[large] ?? 1);
    part = 0;
  }
  const value = Math.round((total + part) * 1_000) / 1_000;
  return Number.isSafeInteger(value) ? value : null;
}

/** An amount as people write it. */
function formsOf(value: number): string[] {
  const forms = [String(value)];
  const groups: string[] = [];
  const shorter: string[] = [];
  let left = value;
  for (const [word, size] of Object.entries(myriads).sort(([, a], [, b]) => b - a)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count === 0) continue;
    groups.push(`${count}${word}`);
    const hundreds =
      count % 1_000 === 0 ? `${count / 1_000}천` : count % 100 === 0 ? `${count / 100}백` : String(count);
    shorter.push(`${hundreds}${word}`);
  }
  if (left > 0) groups.push(String(left));
  if (groups.length > 0) forms.push(groups.join(' '));
  if (left === 0 && shorter.length > 0) forms.push(shorter.join(' '));
  for (const [word, size] of [
    ['억', 1e8],
    ['백만', 1e6],
    ['만', 1e4],
    ['천', 1e3],
  ] as const)
    if (value >= size && Number.isInteger((value / size) * 10)) forms.push(`${value / size}${word}`);
  return forms;
}

/** Units by their letters, and as they are read. Source: 국가표준기본법 시행령, 별표 1. */
const units: readonly (readonly [letters: string, ...read: string[]])[] = [
  ['km', '킬로미터', '키로'],
  ['m', '미터'],
  ['cm', '센티미터', '센치'],
  ['mm', '밀리미터'],
  ['kg', '킬로그램', '키로그램'],
  ['g', '그램'],
  ['mg', '밀리그램'],
  ['t', '톤'],
  ['l', '리터'],
  ['ml', '밀리리터'],
  ['m2', '제곱미터', '평방미터'],
  ['m3', '세제곱미터', '입방미터'],
  ['km2', '제곱킬로미터'],
  ['ha', '헥타르'],
  ['kw', '킬로와트'],
  ['kwh', '킬로와트시'],
  ['mw', '메가와트'],
  ['kb', '킬로바이트'],
  ['mb', '메가바이트'],
  ['gb', '기가바이트'],
  ['tb', '테라바이트'],
  ['%', '퍼센트', '프로'],
  ['℃', '도'],
  ['db', '데시벨'],
];
const unitOf = new Map(units.flatMap((names) => names.map((name) => [name, names] as const)));
const QUANTITY = new RegExp(
  `(\\d+(?:[.,]\\d+)*)\\s*(${[...unitOf.keys()].sort((a, b) => b.length - a.length).join('|')})(?![a-z0-9])`,
  'gu',
);

const LAW = new RegExp(
  String.raw`(?<![\d.,])제?\s*(?<![\d.,])(\d+)\s*조(?!${OTHER_WORD}|\s*(?:원|\d+\s*[천백]?\s*억))(?:\s*의\s*(\d+))?(?:\s*제?\s*(\d+)\s*항)?(?:\s*제?\s*(\d+)\s*호)?`,
  'gu',
);

/** A place of a law in the ways in which it is written. */
function lawForms([, article = '', branch, paragraph, item]: RegExpMatchArray): string[] {
  const parts = (sign: string) => [
    `${sign}${article}조${branch === undefined ? '' : `의${branch}`}`,
    ...(paragraph === undefined ? [] : [`${sign}${paragraph}항`]),
    ...(item === undefined ? [] : [`${sign}${item}호`]),
  ];
  if (paragraph === undefined && item === undefined) return [parts('제').join('')];
  return [parts('제').join(''), parts('제').join(' '), parts('').join(' ')];
}

/** Another way to say a part of a query. */
export interface Saying {
  readonly text: string;
  /** The part that it stands for. */
  readonly of: string;
  /** Whether passages say the part as the query does, so that this counts less. */
  readonly isWeak?: boolean;
}

/** Other ways to write the numbers of a text. Pure. */
export function numberForms(given: string): Saying[] {
  const text = given.normalize('NFKC').toLowerCase();
  const found: Saying[] = [];
  const add = (of: string, forms: readonly string[]) => void found.push(...forms.map((form) => ({ text: form, of })));
  for (const match of text.matchAll(LAW)) add(match[0], lawForms(match));
  // 3조 is an article of a law or three trillions: what stands before 항 or after 제 is no amount.
  const amounts = text.replaceAll(/제\s*\d+\s*조|\d+\s*조(?=\s*제?\s*\d+\s*항)/gu, ' ');
  for (const [amount] of amounts.matchAll(AMOUNT)) {
    const value = valueOf(amount);
    if (value !== null) add(amount, formsOf(value));
  }
  for (const [digits] of amounts.matchAll(DIGITS)) {
    const value = Number(digits.replaceAll(/[^\d]/g, ''));
    if (value >= 10_000) add(digits, formsOf(value));
  }
  for (const [quantity, number = '', unit = ''] of text.matchAll(QUANTITY))
    add(
      quantity,
      (unitOf.get(unit) ?? []).filter((name) => name !== unit).map((name) => `${number}${name}`),
    );
  return found;
}
