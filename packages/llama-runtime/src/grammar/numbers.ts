import {
  type Decimal,
  decimalOf,
  decimalText,
  greatestCommonDivisor,
  leastCommonMultiple,
  neighbour,
  scaledDown,
  scaledUp,
} from './decimal.ts';
import { digitsBody } from './digits.ts';
import { literals } from './literals.ts';
import type { Schema } from './keywords.ts';
import { anyOf } from './text.ts';

/** Digits of the largest numbers without a bound: all of them are exact as 64-bit floats. */
const MAX_DIGITS = 15;
/** Digits after the point, where the bounds do not ask for more. */
const DECIMALS = 6;
const MAX_DECIMALS = 40;
/** Numbers of a range that are enough to choose from. */
const ENOUGH = 100n;
/** Rules that the multiples of one step may take. */
const MAX_PLACES = 1_200;
/** Multiples that stand for all where those would take more rules. */
const MAX_VALUES = 256;

const ONE: Decimal = { digits: 1n, scale: 0 };

/** Least and most of numbers, both included; null where there is none. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const tighter = (a: number | null, b: number | null, pick: (a: number, b: number) => number) =>
  a === null || b === null ? (a ?? b) : pick(a, b);

/** The bounds of a schema. Those that are excluded are the next 64-bit number; `true` excludes as in draft 4. */
export function boundsOf(schema: Schema): Bounds {
  const end = (included: string, excluded: string, above: boolean) => {
    const [bound, over] = [numberOf(schema[included]), numberOf(schema[excluded])];
    const open = schema[excluded] === true && bound !== null ? neighbour(bound, above) : bound;
    return tighter(open, over === null ? null : neighbour(over, above), above ? Math.max : Math.min);
  };
  return { low: end('minimum', 'exclusiveMinimum', true), high: end('maximum', 'exclusiveMaximum', false) };
}

/** All numbers times 10^`decimals`. */
interface Range {
  readonly low: bigint;
  readonly high: bigint;
  readonly step: bigint;
  readonly decimals: number;
}

/** The step and the digits after the point that numbers of a schema have. */
function gridOf(schema: Schema, integer: boolean, { low, high }: Bounds): { step: bigint; decimals: number } {
  const multiple = numberOf(schema['multipleOf']);
  if (multiple !== null) {
    const own = decimalOf(multiple);
    const { digits, scale } = integer ? leastCommonMultiple(own, ONE) : own;
    const unit = integer ? greatestCommonDivisor(digits, 10n ** BigInt(scale)) : 1n;
    return { step: digits / unit, decimals: integer ? 0 : scale };
  }
  if (integer) return { step: 1n, decimals: 0 };
  let decimals = DECIMALS;
  if (low !== null && high !== null && low < high) {
    const [from, to] = [decimalOf(low), decimalOf(high)];
    const few = () => scaledDown(to, decimals) - scaledUp(from, decimals) < ENOUGH;
    while (few() && decimals < MAX_DECIMALS) decimals++;
  } else if (low !== null && high !== null) decimals = Math.max(decimals, decimalOf(low).scale);
  return { step: 1n, decimals };
}

/** Cut to numbers of so many digits, where that leaves enough. */
function rangeOf({ low, high }: Bounds, { step, decimals }: { step: bigint; decimals: number }): Range {
  const unit = 10n ** BigInt(decimals);
  const most = 10n ** BigInt(MAX_DIGITS) * unit - 1n;
  const largest = BigInt(Number.MAX_VALUE) * unit;
  const safe = BigInt(Number.MAX_SAFE_INTEGER) * unit;
  const from = low === null ? null : scaledUp(decimalOf(low), decimals);
  const to = high === null ? null : scaledDown(decimalOf(high), decimals);
  // Bounds beyond the usual numbers: from there on two digits more.
  const top = from !== null && from > most / 100n ? from * 100n : most;
  const bottom = to !== null && to < -most / 100n ? to * 100n : -most;
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  return {
    low: from === null || (from < bottom && from < -safe) ? -least(-bottom, largest) : from,
    high: to === null || (to > top && to > safe) ? least(top, largest) : to,
    step,
    decimals,
  };
}

const placesOf = (step: bigint, digits: number): number => {
  let sum = 0n;
  for (let left = 1; left <= digits; left++) sum += step / greatestCommonDivisor(step, 10n ** BigInt(left));
  return Number(sum);
};

/** How many digits the multiples may have so that their rules stay few. */
function digitsFor({ step, decimals }: Range): number {
  if (step === 1n) return Number.MAX_SAFE_INTEGER;
  let digits = MAX_DIGITS + decimals;
  while (digits > 0 && placesOf(step, digits) > MAX_PLACES) digits--;
  return digits;
}

const divisible = (low: bigint, high: bigint, step: bigint): boolean => {
  const first = low <= 0n ? -(-low / step) : (low + step - 1n) / step;
  return first * step <= high;
};

/** The multiples nearest to zero. */
function listed({ low, high, step, decimals }: Range): string | null {
  const from = low <= 0n ? -(-low / step) : (low + step - 1n) / step;
  const to = high >= 0n ? high / step : -((-high + step - 1n) / step);
  if (from > to) return null;
  const start = from > 0n ? from : to < 0n ? to : 0n;
  const values: bigint[] = [];
  for (let i = 0n; values.length < MAX_VALUES && (start + i <= to || start - i >= from); i++)
    for (const at of i === 0n ? [start] : [start + i, start - i]) if (at >= from && at <= to) values.push(at);
  return literals(values.map((at) => decimalText(at * step, decimals)));
}

/**
 * GBNF of the numbers within the bounds and of the step that a schema gives; null when there is none. Without a bound they
 * have 15 digits before the point at most, and 6 after it where the bounds do not need more.
 */
export function numberBody(
  schema: Schema,
  integer: boolean,
  rule: (name: string, body: string) => string,
): string | null {
  const bounds = boundsOf(schema);
  const range = rangeOf(bounds, gridOf(schema, integer, bounds));
  if (range.low > range.high) return null;
  const digits = digitsFor(range);
  const limit = digits > MAX_DIGITS + range.decimals ? null : 10n ** BigInt(digits) - 1n;
  const low = limit !== null && range.low < -limit ? -limit : range.low;
  const high = limit !== null && range.high > limit ? limit : range.high;
  if (low > high || digits <= range.decimals || !divisible(low, high, range.step)) return listed(range);
  const stretch = (from: bigint, to: bigint) =>
    digitsBody({ low: from, high: to, step: range.step, decimals: range.decimals }, rule);
  const positive = high < 0n ? null : stretch(low > 0n ? low : 0n, high);
  // Zero has no sign.
  const negative = low >= 0n ? null : stretch(high < 0n ? -high : 1n, -low);
  const bodies = [...(positive === null ? [] : [positive]), ...(negative === null ? [] : [`"-" ${negative}`])];
  return bodies.length === 0 ? listed(range) : anyOf(bodies);
}
