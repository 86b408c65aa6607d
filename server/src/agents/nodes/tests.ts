import type { Test } from '@ai-studio/contract/agents/definition.ts';
import { compilePattern } from '../definition/pattern/index.ts';

interface Tests {
  readonly match: 'all' | 'any';
  readonly tests: readonly Test[];
}

/** A number without a bound to its digits: what stands before its point and behind it, without zeros that say nothing. */
interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function decimalOf(sign: string, whole: string, fraction: string): Decimal {
  const plain = { whole: whole.replace(/^0+/, ''), fraction: fraction.replace(/0+$/, '') };
  return { ...plain, negative: sign === '-' && plain.whole + plain.fraction !== '' };
}

/** A number as data have it. Codes are none: leading zeros, hex and exponents tell them apart. */
function plainNumber(text: string): Decimal | null {
  const [found, sign = '', whole = '', fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  return found === undefined ? null : decimalOf(sign, whole, fraction);
}

/** A number or an amount, such as `1,200,000원` or `₩1,200,000`. */
function amount(text: string): Decimal | null {
  const [found, before = '', after = '', whole = '', fraction = ''] =
    /^([+-]?)(?:[₩￦]\s*)?([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d+))?(?:\s*원)?$/.exec(text) ?? [];
  if (found === undefined || whole + fraction === '' || (before !== '' && after !== '')) return null;
  return decimalOf(before + after, whole.replaceAll(',', ''), fraction);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Digit by digit: numbers of orders and accounts are longer than those that are reckoned with. */
function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const size =
    a.whole.length - b.whole.length || compareTexts(a.whole, b.whole) || compareTexts(a.fraction, b.fraction);
  return a.negative ? -size : size;
}

/** Equal numbers where both sides are plain ones, else equal texts. */
function areEqual(left: string, right: string): boolean {
  const [a, b] = [plainNumber(left), plainNumber(right)];
  return a !== null && b !== null ? compareDecimals(a, b) === 0 : left === right;
}

/** A number with an exponent, as data have very large and very small ones. */
const isExponential = (text: string) => /^[+-]?\d+(?:\.\d+)?e[+-]?\d+$/i.test(text);

/** Numbers and amounts where both sides are such, else texts by their characters. */
function compare(left: string, right: string): number {
  const [a, b] = [amount(left), amount(right)];
  if (a !== null && b !== null) return compareDecimals(a, b);
  const numberOf = (text: string, known: Decimal | null): number =>
    known !== null
      ? Number(`${known.negative ? '-' : ''}${known.whole || '0'}.${known.fraction || '0'}`)
      : isExponential(text)
        ? Number(text)
        : Number.NaN;
  const [x, y] = [numberOf(left, a), numberOf(right, b)];
  return Number.isNaN(x) || Number.isNaN(y) ? compareTexts(left, right) : x - y;
}

const isEmpty = (text: string) => ['', '[]', '{}', 'null'].includes(text.trim());

function holds({ op, ...sides }: Test, text: (template: string) => string): boolean {
  const left = text(sides.left);
  const right = text(sides.right);
  switch (op) {
    case 'equals':
      return areEqual(left.trim(), right.trim());
    case 'not_equals':
      return !areEqual(left.trim(), right.trim());
    case 'contains':
      return left.includes(right);
    case 'not_contains':
      return !left.includes(right);
    case 'starts_with':
      return left.startsWith(right);
    case 'matches':
      return compilePattern(right).test(left);
    case 'greater':
      return compare(left.trim(), right.trim()) > 0;
    case 'less':
      return compare(left.trim(), right.trim()) < 0;
    case 'empty':
      return isEmpty(left);
    case 'not_empty':
      return !isEmpty(left);
  }
}

/** Whether tests hold. `text` fills the placeholders of their sides. Throws StudioError for a pattern that is none. */
export const testsHold = ({ match, tests }: Tests, text: (template: string) => string): boolean =>
  match === 'all' ? tests.every((test) => holds(test, text)) : tests.some((test) => holds(test, text));
