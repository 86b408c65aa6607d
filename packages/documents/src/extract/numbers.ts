const units: Readonly<Record<string, number>> = { 십: 10, 백: 100, 천: 1_000, 만: 1e4, 억: 1e8, 조: 1e12 };
const amountPart = /(\d+(?:,\d+)*(?:\.\d+)?)\s*([십백천])?\s*([만억조])?/gu;
/** Commas part groups of three digits. */
const grouped = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
/** A number with what may stand around it: signs of money, units, brackets. */
const amount = /^([^\d\n]{0,12}?)([-−△▲+])?\s*(\d[\d,.십백천만억조 ]*)[^\d\n]{0,20}$/u;
/** A loss as accounts write it, alone in its place. */
const bracketed = /^[(（]\s*(\d[\d,]*(?:\.\d+)?)\s*[)）]$/u;
const fraction = /^(십|백|천|만|\d[\d,]*)\s*분의\s*(\d[\d,]*(?:\.\d+)?)$/u;
/** An amount in words, with the figures that may stand behind it in brackets. */
const spelled =
  /^(?:일?금)?\s*([영공일이삼사오육칠팔구십백천만억조\s]+?)\s*원\s*정?\s*(?:[(（]([^()（）]*)[)）].{0,20})?$/u;
const figures: Readonly<Record<string, number>> = {
  영: 0,
  공: 0,
  일: 1,
  이: 2,
  삼: 3,
  사: 4,
  오: 5,
  육: 6,
  칠: 7,
  팔: 8,
  구: 9,
};

const plainNumber = (digits: string): number | null =>
  grouped.test(digits) ? Number(digits.replaceAll(',', '')) : null;

/** A number in words: `일억오천만`; null for what is none. */
function spelledNumber(words: string): number | null {
  let [sum, group, figure] = [0, 0, null as number | null];
  for (const letter of words.replaceAll(/\s+/g, '')) {
    const next = figures[letter];
    if (next !== undefined) {
      if (figure !== null) return null;
      figure = next;
      continue;
    }
    const unit = units[letter] ?? 1;
    if (unit < 1e4) group += (figure ?? 1) * unit;
    else [sum, group] = [sum + (group + (figure ?? (group === 0 ? 1 : 0))) * unit, 0];
    figure = null;
  }
  return words === '' ? null : sum + group + (figure ?? 0);
}

/** The sum of `1억 5천만`: before 만, 억 and 조 stands all that they count, as in 5천 200만. */
function writtenNumber(parts: string): number | null {
  let [sum, group, found, isOver] = [0, 0, false, false];
  for (const [, digits = '', small = '', large = ''] of parts.matchAll(amountPart)) {
    const number = plainNumber(digits);
    // Another number, or a date: 2024.5.6.
    if (isOver || number === null) return null;
    group += number * (units[small] ?? 1);
    if (large !== '') [sum, group] = [sum + group * (units[large] ?? 1), 0];
    isOver = small === '' && large === '';
    found = true;
  }
  sum += group;
  return found && Number.isFinite(sum) ? sum : null;
}

/** An amount in words; with figures behind it both must say the same. */
function spelledAmount(text: string): number | null {
  const [, words = '', behind = ''] = spelled.exec(text) ?? [];
  const number = words === '' ? null : spelledNumber(words);
  if (number === null || !/\d/.test(behind)) return number;
  return numberOf(behind) === number ? number : null;
}

function fractionOf(text: string): number | null {
  const [, whole = '', part = ''] = fraction.exec(text) ?? [];
  const [below, above] = [units[whole] ?? plainNumber(whole), plainNumber(part)];
  if (above === null || below === null || below === 0) return null;
  return Number((above / below).toPrecision(12));
}

/** A bracket that is open before the digits makes them a remark; behind an amount in words they are the same in figures. */
function isRemark(before: string): boolean {
  const open = Math.max(before.lastIndexOf('('), before.lastIndexOf('（'));
  if (open < 0 || /[)）]/u.test(before.slice(open))) return false;
  return spelledAmount(before.slice(0, open).trim()) === null;
}

/** A number as documents write it: `1,200원`, `△3.5%`, `1억 5천만원`, `(500)`, `금 삼천만원정`; null for what is none. */
export function numberOf(text: string): number | null {
  const words = text.trim().slice(0, 100);
  const loss = bracketed.exec(words)?.[1];
  if (loss !== undefined) {
    const number = plainNumber(loss);
    return number === null ? null : -number;
  }
  if (/분의/u.test(words)) return fractionOf(words);
  if (spelled.test(words)) return spelledAmount(words);
  const [, before = '', sign, parts = ''] = amount.exec(words) ?? [];
  if (isRemark(before)) return null;
  const number = writtenNumber(parts);
  if (number === null) return null;
  return sign === undefined || sign === '+' ? number : -number;
}
