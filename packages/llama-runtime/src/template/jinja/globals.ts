import type { Budget } from './budget.ts';
import { type Callable, Namespace, type Value, isNumber, itemsOf, numberOf, textOf, typeName } from './values.ts';

const whole = (value: Value): number => {
  if (isNumber(value)) return Math.trunc(numberOf(value));
  throw new Error(`'${typeName(value)}' object cannot be interpreted as an integer`);
};

/** Python's range. Throws RenderLimitExceeded. */
const rangeOf =
  (budget: Budget): Callable =>
  ([first, second, third = 1]) => {
    const [start, stop] = second === undefined ? [0, whole(first)] : [whole(first), whole(second)];
    const step = whole(third);
    if (step === 0) throw new Error('range() step must not be zero');
    const length = Math.max(0, Math.ceil((stop - start) / step));
    budget.list(length);
    return Array.from({ length }, (_, i) => start + i * step);
  };

const two = (value: number) => String(value).padStart(2, '0');
const monthOf = (date: Date, form: 'long' | 'short') => date.toLocaleDateString('en', { month: form });
const dayOf = (date: Date, form: 'long' | 'short') => date.toLocaleDateString('en', { weekday: form });
const DAY = 86_400_000;
const dayOfYear = (date: Date) =>
  Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 0)) / DAY,
  );
const hourOf = (date: Date) => date.getHours() % 12 || 12;

/** Parts of a time. Source: the C library's strftime. */
const parts: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  m: (date) => two(date.getMonth() + 1),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  B: (date) => monthOf(date, 'long'),
  b: (date) => monthOf(date, 'short'),
  A: (date) => dayOf(date, 'long'),
  a: (date) => dayOf(date, 'short'),
  u: (date) => String(date.getDay() || 7),
  w: (date) => String(date.getDay()),
  H: (date) => two(date.getHours()),
  I: (date) => two(hourOf(date)),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  '-d': (date) => String(date.getDate()),
  '-m': (date) => String(date.getMonth() + 1),
  '-H': (date) => String(date.getHours()),
  '-I': (date) => String(hourOf(date)),
  F: (date) => formatTime(date, '%Y-%m-%d'),
  T: (date) => formatTime(date, '%H:%M:%S'),
  D: (date) => formatTime(date, '%m/%d/%y'),
  R: (date) => formatTime(date, '%H:%M'),
  z: (date) => {
    const minutes = -date.getTimezoneOffset();
    return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
  },
  '%': () => '%',
};

/** The time in the words of strftime; what is not known stays as it is. */
export const formatTime = (date: Date, format: string): string =>
  format.replace(/%(-?.)/g, (all, letter: string) => parts[letter]?.(date) ?? all);

const namespaceOf =
  (budget: Budget): Callable =>
  ([first], keywords) => {
    const given =
      first instanceof Map
        ? Array.from(first).filter((pair): pair is [string, Value] => typeof pair[0] === 'string')
        : [];
    budget.list((given.length + keywords.size) * 2, true);
    return new Namespace([...given, ...keywords]);
  };

/** Gives a text, but not the first time. */
const joinerOf =
  (budget: Budget): Callable =>
  ([separator = ', ']) => {
    let isUsed = false;
    return () => {
      const text = isUsed ? textOf(separator, budget) : '';
      isUsed = true;
      return text;
    };
  };

/** Names that every template knows. Source: Jinja, List of Global Functions; Hugging Face Transformers, chat template utilities. */
export const globalsOf = (budget: Budget): Readonly<Record<string, Value>> => ({
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  raise_exception: ([message]) => {
    throw new Error(textOf(message, budget));
  },
  range: rangeOf(budget),
  namespace: namespaceOf(budget),
  joiner: joinerOf(budget),
  dict: ([first], keywords) => {
    const given: ReadonlyMap<Value, Value> = first instanceof Map ? first : new Map();
    budget.list((given.size + keywords.size) * 2, true);
    return new Map<Value, Value>([...given, ...keywords]);
  },
  list: ([first]) => {
    const items = itemsOf(first, budget);
    budget.list(items.length, true);
    return [...items];
  },
  strftime_now: ([format]) => formatTime(new Date(), textOf(format, budget)),
});
