// Numbers of the calculator: fractions of whole numbers, so that 0.1 + 0.2 is 0.3. Bounded, so that no expression takes long.

/** A fraction in lowest terms; the divisor is positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** False where a step on the way was rounded. */
  readonly exact: boolean;
}

/** What cannot be calculated, in words for whoever wrote it. */
export class CalculationError extends Error {}

/** About 1,000 digits. */
const MAX_BITS = 3_400;
/** Digits of what is rounded. */
const DIGITS = 20;
/** Longest number that is printed in full. */
const MAX_NUMBER_LENGTH = 200;

const abs = (value: bigint) => (value < 0n ? -value : value);
const bitsOf = (value: bigint) => abs(value).toString(2).length;

function commonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [abs(one), abs(other)];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** A fraction in lowest terms. Throws CalculationError for a division by zero, and for what is too large. */
export function rational(numerator: bigint, denominator: bigint, exact = true): Rational {
  if (denominator === 0n) throw new CalculationError('it divides by zero');
  if (bitsOf(numerator) > MAX_BITS * 2 || bitsOf(denominator) > MAX_BITS * 2)
    throw new CalculationError('a number is too large');
  const divisor = commonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  const [a, b] = [numerator / divisor, denominator / divisor];
  if (bitsOf(a) > MAX_BITS || bitsOf(b) > MAX_BITS) throw new CalculationError('a number is too large');
  return { numerator: a, denominator: b, exact };
}

const MAX_EXPONENT = 1_000;

/** Reads `12`, `1.5`, `.5` or `2e-3`. */
export function readNumber(text: string): Rational {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', part = ''] = mantissa.split('.');
  const shift = Number(exponent) - part.length;
  if (Math.abs(shift) > MAX_EXPONENT) throw new CalculationError('a number is too large');
  const digits = BigInt(whole + part || '0');
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift), 1n) : rational(digits, 10n ** BigInt(-shift));
}

export const add = (a: Rational, b: Rational) =>
  rational(
    a.numerator * b.denominator + b.numerator * a.denominator,
    a.denominator * b.denominator,
    a.exact && b.exact,
  );
export const negate = (a: Rational): Rational => ({ ...a, numerator: -a.numerator });
export const subtract = (a: Rational, b: Rational) => add(a, negate(b));
export const multiply = (a: Rational, b: Rational) =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator, a.exact && b.exact);
export const divide = (a: Rational, b: Rational) =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator, a.exact && b.exact);
export const compare = (a: Rational, b: Rational): number =>
  Number(sign(a.numerator * b.denominator - b.numerator * a.denominator));
const sign = (value: bigint) => (value > 0n ? 1n : value < 0n ? -1n : 0n);

/** The largest whole number that is at most the value. */
export function floor({ numerator, denominator, exact }: Rational): Rational {
  const cut = numerator / denominator;
  return { numerator: numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut, denominator: 1n, exact };
}

/** What is left of a division; of the sign of the divisor, as in mathematics. */
export const modulo = (a: Rational, b: Rational) => subtract(a, multiply(b, floor(divide(a, b))));

/** Rounded to so many digits behind the point, halves away from zero. */
export function round(value: Rational, digits: number): Rational {
  if (!Number.isInteger(digits) || Math.abs(digits) > 100)
    throw new CalculationError('round takes a whole number of digits between -100 and 100');
  const scale = digits >= 0 ? rational(10n ** BigInt(digits), 1n) : rational(1n, 10n ** BigInt(-digits));
  const scaled = multiply(value, scale);
  const up = abs(scaled.numerator) * 2n + scaled.denominator;
  return divide(rational((up / (scaled.denominator * 2n)) * sign(scaled.numerator), 1n, value.exact), scale);
}

/** As a number of the machine. */
export function toNumber({ numerator, denominator }: Rational): number {
  const shift = BigInt(Math.max(0, bitsOf(numerator) - 900, bitsOf(denominator) - 900));
  return Number(numerator >> shift) / Number(denominator >> shift);
}

/** A number of the machine, which has 15 digits. Throws CalculationError for what is none. */
export function fromNumber(value: number): Rational {
  if (!Number.isFinite(value)) throw new CalculationError('the result is no number, or too large');
  const text = Math.abs(value).toPrecision(15);
  const read = readNumber(text);
  return { ...(value < 0 ? negate(read) : read), exact: false };
}

/** `base` to the power of `exponent`. */
export function power(base: Rational, exponent: Rational): Rational {
  const exact = base.exact && exponent.exact;
  if (exponent.denominator !== 1n) return fromNumber(toNumber(base) ** toNumber(exponent));
  if (base.numerator === 0n && exponent.numerator < 0n) throw new CalculationError('it divides by zero');
  const times = abs(exponent.numerator);
  const trivial = base.denominator === 1n && abs(base.numerator) <= 1n;
  if (!trivial && BigInt(Math.max(bitsOf(base.numerator), bitsOf(base.denominator)) - 1) * times > BigInt(MAX_BITS))
    throw new CalculationError('a number is too large');
  const steps = trivial ? times % 2n : times;
  const [numerator, denominator] = [base.numerator ** steps, base.denominator ** steps];
  // 0 and 1 to an even power are themselves, but for 0 to the power of 0.
  if (trivial && steps === 0n) return rational(times === 0n ? 1n : abs(base.numerator), 1n, exact);
  return exponent.numerator < 0n ? rational(denominator, numerator, exact) : rational(numerator, denominator, exact);
}

/** The whole part of a square root, by Newton's steps. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Exact where it can be, else of 30 digits. */
export function squareRoot({ numerator, denominator, exact }: Rational): Rational {
  if (numerator < 0n) throw new CalculationError('a square root of a number below zero');
  const [a, b] = [wholeRoot(numerator), wholeRoot(denominator)];
  if (a * a === numerator && b * b === denominator) return rational(a, b, exact);
  const places = 30 + Math.max(0, denominator.toString().length - numerator.toString().length);
  const scale = 10n ** BigInt(places);
  return rational(wholeRoot((numerator * scale * scale) / denominator), scale, false);
}

/** How many digits a fraction has behind the point; null where they never end. */
function decimalPlaces(denominator: bigint): number | null {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function formatDecimal(numerator: bigint, places: number): string {
  const digits = abs(numerator)
    .toString()
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const part = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${numerator < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}

/** The power of ten of the first digit. */
function leadingExponent({ numerator, denominator }: Rational): number {
  const guess = abs(numerator).toString().length - denominator.toString().length;
  const [a, b] =
    guess >= 0
      ? [abs(numerator), denominator * 10n ** BigInt(guess)]
      : [abs(numerator) * 10n ** BigInt(-guess), denominator];
  return a < b ? guess - 1 : guess;
}

/** A number as people write it: in full where that is short enough, else of 20 digits. `exact` says whether nothing was rounded. */
export function formatNumber(value: Rational): { readonly text: string; readonly exact: boolean } {
  const { numerator, denominator, exact } = value;
  const places = decimalPlaces(denominator);
  if (places !== null && exact) {
    const text = formatDecimal(numerator * (10n ** BigInt(places) / denominator), places);
    if (text.length <= MAX_NUMBER_LENGTH) return { text, exact };
  }
  if (numerator === 0n) return { text: '0', exact };
  const first = leadingExponent(value);
  if (Math.abs(first) <= 60) {
    const rounded = round(value, Math.max(0, DIGITS - 1 - first));
    return { text: formatDecimal(rounded.numerator * (10n ** 100n / rounded.denominator), 100), exact: false };
  }
  const scaled =
    first > 0
      ? rational(numerator, denominator * 10n ** BigInt(first))
      : rational(numerator * 10n ** BigInt(-first), denominator);
  const mantissa = round(scaled, DIGITS - 1);
  return {
    text: `${formatDecimal(mantissa.numerator * (10n ** 100n / mantissa.denominator), 100)}e${first}`,
    exact: false,
  };
}
