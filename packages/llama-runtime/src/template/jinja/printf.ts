import type { Budget } from './budget.ts';
import { type Dict, type Keywords, type Value, isNumber, numberOf, repr, textOf, typeName } from './values.ts';

const PLACE = /%(?:\((\w+)\))?([-0+ ]*)(\d+)?(?:\.(\d+))?([sdifrx%])/g;

/** Characters that one place may be widened to: no prompt needs more. */
const MAX_WIDTH = 10_000;

function numberFor(value: Value): number {
  if (!isNumber(value)) throw new Error(`%d format: a real number is required, not ${typeName(value)}`);
  return numberOf(value);
}

function written(kind: string, value: Value, digits: number | null, budget: Budget): string {
  switch (kind) {
    case 'd':
    case 'i':
      return String(Math.trunc(numberFor(value)));
    case 'f':
      return numberFor(value).toFixed(Math.min(digits ?? 6, 100));
    case 'x':
      return Math.trunc(numberFor(value)).toString(16);
    default: {
      const text = kind === 'r' ? repr(value, budget) : textOf(value, budget);
      return digits === null ? text : text.slice(0, digits);
    }
  }
}

function widened(text: string, width: number, flags: string, isNumeric: boolean): string {
  if (width > MAX_WIDTH) throw new Error('a place of a format is too wide');
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0') || !isNumeric) return text.padStart(width);
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

/** Python's `%` of texts: values in order, or by name. Throws where they do not fit. */
export function formatted(format: string, values: readonly Value[] | Dict, budget: Budget): string {
  let next = 0;
  let length = 0;
  const text = format.replace(PLACE, (_all, name, flags, width, digits, kind) => {
    if (kind === '%') return '%';
    const list = values instanceof Map ? [values] : values;
    if (name === undefined && next >= list.length) throw new Error('not enough arguments for format string');
    const value = name === undefined ? list[next++] : values instanceof Map ? values.get(name) : undefined;
    const plain = written(kind, value, digits === undefined ? null : Number(digits), budget);
    const isNumeric = /[difx]/.test(kind);
    const one = widened(
      isNumeric && flags.includes('+') && !plain.startsWith('-') ? `+${plain}` : plain,
      Number(width ?? 0),
      flags,
      isNumeric,
    );
    length += one.length;
    budget.joined(length);
    return one;
  });
  if (!(values instanceof Map) && next < values.length)
    throw new Error('not all arguments converted during string formatting');
  budget.text(text.length);
  return text;
}

const FIELD = /\{\{|\}\}|\{(\w*)(?::([<>^]?)(0?)(\d*)(?:\.(\d+))?([sdfx]?))?\}/g;

function aligned(text: string, width: number, align: string, isNumeric: boolean, zero: boolean): string {
  if (align === '' || zero) return widened(text, width, zero ? '0' : isNumeric ? '' : '-', isNumeric);
  if (width > MAX_WIDTH) throw new Error('a place of a format is too wide');
  if (align === '<') return text.padEnd(width);
  if (align === '>') return text.padStart(width);
  const left = Math.floor(Math.max(0, width - text.length) / 2);
  return (' '.repeat(left) + text).padEnd(width);
}

/** Python's `str.format`: places by order, number or name, with simple forms. Throws where a value is missing. */
export function formatFields(format: string, args: readonly Value[], keywords: Keywords, budget: Budget): string {
  let next = 0;
  let length = 0;
  return format.replace(FIELD, (all, name, align = '', zero = '', width = '', digits, kind = '') => {
    if (all === '{{' || all === '}}') return all.charAt(0);
    const index = name === '' ? next++ : /^\d+$/.test(name) ? Number(name) : null;
    const isThere = index === null ? keywords.has(name) : index < args.length;
    if (!isThere) throw new Error(`no value for the place {${name}}`);
    const value = index === null ? keywords.get(name) : args[index];
    const isNumeric = isNumber(value) && typeof value !== 'boolean';
    const plain = written(
      kind === '' ? (digits !== undefined && isNumeric ? 'f' : 's') : kind,
      value,
      digits === undefined ? null : Number(digits),
      budget,
    );
    const one = aligned(plain, Number(width), align, isNumeric, zero === '0');
    length += one.length;
    budget.text(one.length);
    budget.joined(length);
    return one;
  });
}
