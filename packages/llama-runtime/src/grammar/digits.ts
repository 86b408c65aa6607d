import { anyOf, characterClass } from './text.ts';

/** Numbers from 0 on, all times 10^`decimals`: those from `low` to `high` that are multiples of `step`. */
export interface Stretch {
  readonly low: bigint;
  readonly high: bigint;
  readonly step: bigint;
  readonly decimals: number;
}

/** Where a number stands that is written digit by digit. */
interface Place {
  /** Digits to come, those after the point included. */
  readonly left: number;
  /** What is written so far, times 10^`left`, modulo the step. */
  readonly residue: bigint;
  /** The least and the most that may follow; null where the digits before leave it open. */
  readonly low: string | null;
  readonly high: string | null;
}

const digit = (digits: readonly number[]): string => {
  const from = digits[0] ?? 0;
  const to = digits.at(-1) ?? 0;
  const whole = to - from === digits.length - 1;
  return characterClass(whole ? [[0x30 + from, 0x30 + to]] : digits.map((d) => [0x30 + d, 0x30 + d]));
};

const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');
const exactly = (count: number) => (count === 0 ? '' : count === 1 ? '[0-9]' : `[0-9]{${count}}`);
const zeros = /^0*$/;
const nines = /^9*$/;

/** Writes the digits of one stretch of numbers. */
class DigitWriter {
  readonly #stretch: Stretch;
  readonly #rule: (name: string, body: string) => string;
  /** Bodies of places without bounds. */
  readonly #free = new Map<string, string | null>();

  constructor(stretch: Stretch, rule: (name: string, body: string) => string) {
    this.#stretch = stretch;
    this.#rule = rule;
  }

  /** The digits after a place; null when no number of the stretch goes on from it. */
  rest(place: Place): string | null {
    const low = place.low !== null && zeros.test(place.low) ? null : place.low;
    const high = place.high !== null && nines.test(place.high) ? null : place.high;
    if (low !== null || high !== null) return this.#rest({ ...place, low, high });
    const { left, residue } = place;
    if (this.#stretch.step === 1n) return this.#anything(left);
    const key = `${left} ${residue}`;
    let body = this.#free.get(key);
    if (body === undefined) {
      body = this.#rest({ left, residue, low, high });
      if (body !== null && body.length > 12) body = this.#rule('digits', body);
      this.#free.set(key, body);
    }
    return body;
  }

  #anything(left: number): string {
    const { decimals } = this.#stretch;
    if (left < decimals) return left === 0 ? '' : `[0-9]{0,${left}}`;
    return join(exactly(left - decimals), decimals === 0 ? '' : `("." [0-9]{1,${decimals}})?`);
  }

  #rest(place: Place): string | null {
    const { decimals } = this.#stretch;
    const { left, residue, low } = place;
    const mayEnd = left <= decimals && residue === 0n && low === null;
    const next = left === 0 ? null : this.#next(place);
    const more = next === null ? null : left === decimals ? `"." ${next}` : next;
    if (more === null) return mayEnd ? '' : null;
    return mayEnd ? `(${more})?` : more;
  }

  /** One more digit, and what follows it. */
  #next({ left, residue, low, high }: Place): string | null {
    const { step } = this.#stretch;
    const [first, last] = [Number(low?.[0] ?? '0'), Number(high?.[0] ?? '9')];
    const unit = 10n ** BigInt(left - 1);
    const groups = new Map<string, { readonly digits: number[]; readonly place: Place }>();
    for (let d = first; d <= last; d++) {
      const place = {
        left: left - 1,
        residue: (residue + BigInt(d) * unit) % step,
        low: low !== null && d === first ? low.slice(1) : null,
        high: high !== null && d === last ? high.slice(1) : null,
      };
      const key = `${place.residue} ${place.low ?? ''} ${place.high ?? ''}`;
      const known = groups.get(key);
      if (known) known.digits.push(d);
      else groups.set(key, { digits: [d], place });
    }
    const bodies = [...groups.values()].flatMap(({ digits, place }) => {
      const after = this.rest(place);
      return after === null ? [] : [join(digit(digits), after)];
    });
    return bodies.length === 0 ? null : anyOf(bodies);
  }
}

const smallest = (length: number, decimals: number) => (length === 1 ? 0n : 10n ** BigInt(length + decimals - 1));
const largest = (length: number, decimals: number) => 10n ** BigInt(length + decimals) - 1n;

/** GBNF of a stretch of numbers: as many digits after the point as `decimals`, or fewer. Null when there is none. */
export function digitsBody(stretch: Stretch, rule: (name: string, body: string) => string): string | null {
  const { low, high, step, decimals } = stretch;
  if (low > high) return null;
  const writer = new DigitWriter(stretch, rule);
  const lengthOf = (value: bigint) => Math.max(1, String(value).length - decimals);
  const bodies: string[] = [];
  const whole: number[] = [];
  for (let length = lengthOf(low); length <= lengthOf(high); length++) {
    const [least, most] = [smallest(length, decimals), largest(length, decimals)];
    const all = step === 1n && length > 1 && least >= low && most <= high;
    if (all) {
      whole.push(length);
      continue;
    }
    const text = (value: bigint) => String(value).padStart(length + decimals, '0');
    const place = {
      left: length + decimals,
      residue: 0n,
      low: text(low > least ? low : least),
      high: text(high < most ? high : most),
    };
    const body = writer.rest(place);
    if (body !== null && body !== '') bodies.push(body);
  }
  const [shortest] = whole;
  if (shortest !== undefined) {
    const tail = `[0-9]{${shortest - 1},${shortest + whole.length - 2}}`;
    bodies.push(join('[1-9]', tail, decimals === 0 ? '' : `("." [0-9]{1,${decimals}})?`));
  }
  return bodies.length === 0 ? null : anyOf(bodies);
}
