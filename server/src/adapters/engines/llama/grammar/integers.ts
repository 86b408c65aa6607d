import { anyOf, characterClass, literal } from './text.ts';

/** Digits of the largest numbers without a bound: all of them are exact as 64-bit floats. */
const MOST_DIGITS = 15;
const LARGEST = 10 ** MOST_DIGITS - 1;

const digit = (from: string, to: string) => characterClass([[from.charCodeAt(0), to.charCodeAt(0)]]);
const anyDigits = (count: number) => (count === 0 ? '' : count === 1 ? ' [0-9]' : ` [0-9]{${count}}`);

/** Numbers of equally many digits from `low` to `high`, as alternatives. */
function sameLength(low: string, high: string): string[] {
  if (low === high) return [literal(low)];
  const first = low.charAt(0);
  const last = high.charAt(0);
  const rest = low.length - 1;
  if (rest === 0) return [digit(first, last)];
  if (first === last) return sameLength(low.slice(1), high.slice(1)).map((tail) => `${literal(first)} ${tail}`);
  const out: string[] = [];
  let from = Number(first);
  let to = Number(last);
  if (low.slice(1) !== '0'.repeat(rest)) {
    out.push(...sameLength(low.slice(1), '9'.repeat(rest)).map((tail) => `${literal(first)} ${tail}`));
    from++;
  }
  const openEnd = high.slice(1) !== '9'.repeat(rest);
  if (openEnd) to--;
  if (from <= to) out.push(`${digit(String(from), String(to))}${anyDigits(rest)}`);
  if (openEnd) out.push(...sameLength('0'.repeat(rest), high.slice(1)).map((tail) => `${literal(last)} ${tail}`));
  return out;
}

/** Numbers from 0 on, both ends included. */
function natural(low: number, high: number): string[] {
  const out: string[] = [];
  for (let length = String(low).length; length <= String(high).length; length++) {
    const from = Math.max(low, length === 1 ? 0 : 10 ** (length - 1));
    const to = Math.min(high, 10 ** length - 1);
    out.push(...sameLength(String(from), String(to)));
  }
  return out;
}

export interface Bounds {
  /** Null where there is none. Both are integers and included. */
  readonly min: number | null;
  readonly max: number | null;
}

/** GBNF of the integers within bounds; null when there is none. */
export function integersWithin({ min, max }: Bounds): string | null {
  const low = Math.max(min ?? -LARGEST, -LARGEST);
  const high = Math.min(max ?? LARGEST, LARGEST);
  if (low > high) return null;
  const out: string[] = [];
  if (high >= 0) out.push(...natural(Math.max(0, low), high));
  if (low < 0) out.push(...natural(Math.max(1, -high), -low).map((body) => `"-" ${body}`));
  return anyOf(out);
}

/** Values that stand for a range with steps, or one between two integers: so many are enough to choose from. */
const MOST_VALUES = 256;

/** Multiples of `step` within bounds, nearest to zero first; null when there is none. */
export function multiplesWithin(step: number, { min, max }: Bounds): string | null {
  const values: number[] = [];
  const from = min === null ? null : Math.ceil(min / step);
  const to = max === null ? null : Math.floor(max / step);
  const start = from !== null && from > 0 ? from : to !== null && to < 0 ? to : 0;
  for (let i = 0; values.length < MOST_VALUES && i < MOST_VALUES; i++) {
    for (const at of i === 0 ? [start] : [start + i, start - i]) {
      if ((from === null || at >= from) && (to === null || at <= to)) values.push(at * step);
    }
  }
  const texts = values.map(String).filter((text) => !text.includes('e') && exact(Number(text), step));
  return texts.length === 0 ? null : anyOf(texts.map((text) => literal(text === '-0' ? '0' : text)));
}

const exact = (value: number, step: number) => Number.isInteger(value / step);

/** Evenly spaced numbers from `low` to `high`, for ranges that lie between two integers. */
export function fractionsWithin(low: number, high: number, excludeLow: boolean, excludeHigh: boolean): string | null {
  for (let decimals = 1; decimals <= 9; decimals++) {
    const scale = 10 ** decimals;
    let from = Math.ceil(low * scale - 1e-9);
    let to = Math.floor(high * scale + 1e-9);
    while (from / scale < low || (excludeLow && from / scale <= low)) from++;
    while (to / scale > high || (excludeHigh && to / scale >= high)) to--;
    if (from > to) continue;
    const step = Math.max(1, Math.ceil((to - from) / 64));
    const values: string[] = [];
    for (let at = from; at <= to; at += step) values.push((at / scale).toFixed(decimals));
    return anyOf(values.map(literal));
  }
  return null;
}
