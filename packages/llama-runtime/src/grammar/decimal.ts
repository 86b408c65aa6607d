/** A decimal number without error: `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const power = (scale: number) => 10n ** BigInt(scale);

/** The decimal that a number is written as. */
export function decimalOf(value: number): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * power(-scale), scale: 0 };
}

/** The number times 10^`scale`, rounded up. */
export function scaledUp({ digits, scale: own }: Decimal, scale: number): bigint {
  if (scale >= own) return digits * power(scale - own);
  const unit = power(own - scale);
  return digits / unit + (digits % unit > 0n ? 1n : 0n);
}

/** The number times 10^`scale`, rounded down. */
export const scaledDown = ({ digits, scale: own }: Decimal, scale: number): bigint =>
  -scaledUp({ digits: -digits, scale: own }, scale);

/** How a number times 10^`scale` is written. */
export function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The smallest step of which both are multiples of each other's multiples. Both are positive. */
export function leastCommonMultiple(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [scaledUp(a, scale), scaledUp(b, scale)];
  return { digits: (x / greatestCommonDivisor(x, y)) * y, scale };
}

/** The 64-bit number next to one, above or below. */
export function neighbour(value: number, above: boolean): number {
  if (value === 0) return above ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, value > 0 === above ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}
