import type { Budget } from './budget.ts';

// Values of templates are those of Python, whose words stand in prompts: True, None, ['a'], 1.0.

/** A float without a fraction; others are numbers that are not whole. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class Tuple {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

/** What `namespace()` makes, and what `loop` is: fields by name. */
export class Namespace {
  readonly fields: Map<string, Value>;

  constructor(fields: Iterable<readonly [string, Value]>) {
    this.fields = new Map(fields);
  }
}

/** Arguments by name. */
export type Keywords = ReadonlyMap<string, Value>;

/** A macro, a method or a function of the renderer. */
export type Callable = (args: readonly Value[], keywords: Keywords) => Value;

export type Dict = Map<Value, Value>;

/** `undefined`: what is not there, which prints nothing; `null`: None. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | Float
  | Value[]
  | Tuple
  | Dict
  | Namespace
  | Callable;

/** A value of JSON as one of templates. */
export function toValue(json: unknown): Value {
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json === 'function') return json as Callable;
  if (typeof json !== 'object' || json === null) return json as Value;
  return new Map<Value, Value>(Object.entries(json).map(([key, value]) => [key, toValue(value)]));
}

export const isNumber = (value: Value): value is number | boolean | Float =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Float;
export const isFloat = (value: Value): boolean =>
  value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
export const numberOf = (value: number | boolean | Float): number =>
  value instanceof Float ? value.value : Number(value);
/** A number as a float. */
export const floatOf = (value: number): Value => (Number.isInteger(value) ? new Float(value) : value);

/** Name of a value's type, as Python's errors have it. */
export function typeName(value: Value): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'function') return 'function';
  if (isNumber(value)) return isFloat(value) ? 'float' : 'int';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Tuple) return 'tuple';
  return value instanceof Map ? 'dict' : 'namespace';
}

export function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Tuple) return value.items.length > 0;
  if (value instanceof Map) return value.size > 0;
  if (value instanceof Float) return value.value !== 0;
  return Boolean(value);
}

/** A float as Python writes it. Source: Python, `float.__repr__`. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent < -4 || exponent >= 16) {
    const [digits = '', power = ''] = value.toExponential().split('e');
    return `${digits}e${power.startsWith('-') ? '-' : '+'}${power.slice(1).padStart(2, '0')}`;
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}

export const numberText = (value: number | Float): string =>
  value instanceof Float
    ? floatText(value.value)
    : Number.isInteger(value)
      ? BigInt(value).toString()
      : floatText(value);

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

/** A text in quotes, as Python writes it within lists. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\u0000-\u001f\u007f-\u00a0]/g, (c) => escapes[c] ?? hexEscape(c));
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}
const hexEscape = (c: string) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A value as it stands within a list. Everything that is written is taken from the budget. */
export function repr(value: Value, budget: Budget): string {
  const text = reprOf(value, budget);
  budget.text(text.length);
  return text;
}

function reprOf(value: Value, budget: Budget): string {
  const each = (one: Value) => repr(one, budget);
  if (typeof value === 'string') return quoted(value);
  if (value === undefined) return 'Undefined';
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number' || value instanceof Float) return numberText(value);
  if (Array.isArray(value)) return `[${value.map(each).join(', ')}]`;
  if (value instanceof Tuple) return `(${value.items.map(each).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof Map) return `{${Array.from(value, ([key, one]) => `${each(key)}: ${each(one)}`).join(', ')}}`;
  return value instanceof Namespace ? '<Namespace>' : '<function>';
}

/** A value as it is printed. */
export function textOf(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : repr(value, budget);
}

/** The things of a value, as a loop takes them. Throws for what has none. */
export function itemsOf(value: Value, budget: Budget): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (value === undefined) return [];
  if (typeof value === 'string') {
    budget.list(value.length);
    return Array.from(value);
  }
  if (value instanceof Map) {
    budget.list(value.size, true);
    return [...value.keys()];
  }
  throw new Error(`'${typeName(value)}' object is not iterable`);
}

/** Whether two values are the same, as Python compares them. */
export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return numberOf(a) === numberOf(b);
  const [first, second] = [listOf(a), listOf(b)];
  if (first && second && Array.isArray(a) === Array.isArray(b))
    return first.length === second.length && first.every((one, i) => equal(one, second[i]));
  if (!(a instanceof Map && b instanceof Map) || a.size !== b.size) return false;
  return Array.from(a).every(([key, one]) => b.has(key) && equal(one, b.get(key)));
}

const listOf = (value: Value): readonly Value[] | null =>
  Array.isArray(value) ? value : value instanceof Tuple ? value.items : null;

/** Which of two comes first: negative, 0 or positive. Texts go by code points. Throws for what has no order. */
export function compare(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return numberOf(a) - numberOf(b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [first, second] = [listOf(a), listOf(b)];
  if (!first || !second)
    throw new Error(`'<' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
  const at = first.findIndex((one, i) => i >= second.length || !equal(one, second[i]));
  if (at < 0) return first.length - second.length;
  return at >= second.length ? 1 : compare(first[at], second[at]);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  let i = 0;
  while (a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}

/** Whether a value is in another one. */
export function contains(container: Value, value: Value): boolean {
  if (typeof container === 'string') {
    if (typeof value !== 'string')
      throw new Error(`'in <string>' requires string as left operand, not ${typeName(value)}`);
    return container.includes(value);
  }
  if (container instanceof Map) return container.has(value);
  const list = listOf(container);
  if (list) return list.some((one) => equal(one, value));
  if (container === undefined) return false;
  throw new Error(`argument of type '${typeName(container)}' is not iterable`);
}
