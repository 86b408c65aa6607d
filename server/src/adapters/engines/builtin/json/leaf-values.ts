import { type Schema, listOf, numberOf } from './schema.ts';
import { stringByPattern } from './string-by-pattern.ts';

const MAX_STRING_LENGTH = 4_096;

export const inBounds = (value: number, s: Schema) =>
  value >= (numberOf(s['minimum']) ?? -Infinity) &&
  value <= (numberOf(s['maximum']) ?? Infinity) &&
  value > (numberOf(s['exclusiveMinimum']) ?? -Infinity) &&
  value < (numberOf(s['exclusiveMaximum']) ?? Infinity);

const lengthOf = (text: string) => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

export const sizeFits = (text: string, s: Schema) => {
  const length = lengthOf(text);
  return length >= (numberOf(s['minLength']) ?? 0) && length <= (numberOf(s['maxLength']) ?? Infinity);
};

/** A number within the bounds of its schema, as near to what was said as they let it be. */
export function makeNumber(s: Schema, said: unknown, whole: boolean): number {
  const given = numberOf(said) ?? numberOf(s['default']) ?? 0;
  const preferred = Math.abs(given) <= Number.MAX_SAFE_INTEGER ? given : 0;
  const step = numberOf(s['multipleOf']) ?? (whole ? 1 : null);
  if (inBounds(preferred, s) && isMultiple(preferred, step) && (!whole || Number.isInteger(preferred)))
    return preferred;
  const low = Math.max(numberOf(s['minimum']) ?? -Infinity, numberOf(s['exclusiveMinimum']) ?? -Infinity);
  const high = Math.min(numberOf(s['maximum']) ?? Infinity, numberOf(s['exclusiveMaximum']) ?? Infinity);
  const near = Math.min(Math.max(preferred, low), high);
  if (step !== null && step > 0) {
    const unit = whole && !Number.isInteger(step) ? step * denominator(step) : step;
    const nearest = near / unit;
    for (const n of [
      Math.round(nearest),
      Math.ceil(nearest),
      Math.floor(nearest),
      Math.ceil(nearest) + 1,
      Math.floor(nearest) - 1,
    ]) {
      const value = tidy(n * unit);
      if (inBounds(value, s) && Number.isFinite(value)) return value === 0 ? 0 : value;
    }
    return whole ? Math.round(near) : near;
  }
  const middle =
    Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : Number.isFinite(low) ? low + 1 : high - 1;
  return [near, middle].find((value) => Number.isFinite(value) && inBounds(value, s)) ?? 0;
}

/** Without the noise of binary fractions. */
const tidy = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));
const isMultiple = (value: number, step: number | null) => step === null || step <= 0 || Number.isInteger(value / step);

function denominator(step: number): number {
  for (let n = 1; n <= 1_000; n++) if (Number.isInteger(tidy(step * n))) return n;
  return 1;
}

/** Values of the formats of JSON schema (draft 2020-12, section 7.3). Each is right by itself. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  iri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/',
  regex: '.*',
  'uri-template': '/{id}',
  byte: '',
};

/** What a text of a format looks like, to tell whether what was said is one. */
const formatShapes: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?$/,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  url: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
  hostname: /^[a-z0-9.-]{1,253}$/i,
};

/** A pattern that cannot take long on a short text: few open repetitions, none inside another. */
const isTame = (pattern: string) =>
  pattern.length <= 200 &&
  !/[+*}]\)[+*{?]/.test(pattern) &&
  (pattern.match(/[+*]|,\}/g)?.length ?? 0) <= 3 &&
  !/\\[1-9k]|\(\?/.test(pattern.replaceAll('(?:', '('));

function patternFits(text: string, pattern: string): boolean {
  if (!isTame(pattern) || text.length > 100) return false;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

/** A text that obeys its schema: what was said if it does, else one made for its pattern or format. */
export function makeString(s: Schema, said: unknown): string {
  const least = Math.min(numberOf(s['minLength']) ?? 0, MAX_STRING_LENGTH);
  const most = numberOf(s['maxLength']) ?? Infinity;
  const format = typeof s['format'] === 'string' ? s['format'] : null;
  const pattern = typeof s['pattern'] === 'string' ? s['pattern'] : null;
  const given = [said, s['default'], ...listOf(s['examples'])].filter((text) => typeof text === 'string');
  const fit = given.find(
    (text) =>
      (pattern === null || patternFits(text, pattern)) &&
      (format === null || (formatShapes[format]?.test(text) ?? true)) &&
      sizeFits(text, s),
  );
  if (fit !== undefined) return fit;
  if (pattern !== null) {
    const made = stringByPattern(pattern, least);
    if (made !== null) return made;
  }
  const shaped = format === null ? undefined : formats[format];
  if (shaped !== undefined && sizeFits(shaped, s)) return shaped;
  const text = pattern === null && shaped === undefined ? (given[0] ?? '') : '';
  const cut = lengthOf(text) > most ? Array.from(text).slice(0, most).join('') : text;
  return cut + '-'.repeat(Math.max(0, least - lengthOf(cut)));
}
