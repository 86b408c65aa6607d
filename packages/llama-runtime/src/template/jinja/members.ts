import type { Budget } from './budget.ts';
import { stringMethod } from './strings.ts';
import {
  type Callable,
  type Dict,
  Float,
  Namespace,
  Tuple,
  type Value,
  compare,
  equal,
  isNumber,
  itemsOf,
  numberOf,
  typeName,
} from './values.ts';

// Attributes and items of values. Source: Jinja, "Template Designer Documentation", Variables; Python, "Built-in Types".

type ListMethod = (list: Value[], args: readonly Value[], budget: Budget) => Value;
type DictMethod = (dict: Dict, args: readonly Value[], budget: Budget) => Value;

const whole = (value: Value): number | null =>
  isNumber(value) && !(value instanceof Float) && Number.isInteger(numberOf(value)) ? numberOf(value) : null;

const indexOf = (list: readonly Value[], value: Value) => list.findIndex((one) => equal(one, value));

const listMethods: Readonly<Record<string, ListMethod>> = {
  append: (list, [value], budget) => {
    budget.list(list.length + 1, true);
    list.push(value);
    return null;
  },
  extend: (list, [more], budget) => {
    const items = itemsOf(more, budget);
    budget.list(list.length + items.length, true);
    // The list itself may be what it is extended by.
    for (const item of items.slice()) list.push(item);
    return null;
  },
  insert: (list, [at, value], budget) => {
    budget.list(list.length + 1, true);
    list.splice(whole(at) ?? 0, 0, value);
    return null;
  },
  pop: (list, [at = -1]) => {
    const index = whole(at) ?? -1;
    if (list.length === 0 || index >= list.length || index < -list.length) throw new Error('pop index out of range');
    return list.splice(index, 1)[0];
  },
  remove: (list, [value]) => {
    const at = indexOf(list, value);
    if (at < 0) throw new Error('list.remove(x): x not in list');
    list.splice(at, 1);
    return null;
  },
  index: (list, [value]) => {
    const at = indexOf(list, value);
    if (at < 0) throw new Error('value is not in list');
    return at;
  },
  count: (list, [value]) => list.filter((one) => equal(one, value)).length,
  copy: (list, _args, budget) => {
    budget.list(list.length, true);
    return [...list];
  },
  reverse: (list) => {
    list.reverse();
    return null;
  },
  sort: (list) => {
    list.sort(compare);
    return null;
  },
  clear: (list) => {
    list.length = 0;
    return null;
  },
};

/** Keys and values of a dict, as pairs. */
export function pairsOf(dict: Dict, budget: Budget): Value[] {
  budget.list(dict.size * 2, true);
  return Array.from(dict, (pair) => new Tuple(pair));
}

const dictMethods: Readonly<Record<string, DictMethod>> = {
  get: (dict, [key, otherwise = null]) => (dict.has(key) ? dict.get(key) : otherwise),
  items: (dict, _args, budget) => pairsOf(dict, budget),
  keys: (dict, _args, budget) => {
    budget.list(dict.size, true);
    return [...dict.keys()];
  },
  values: (dict, _args, budget) => {
    budget.list(dict.size, true);
    return [...dict.values()];
  },
  copy: (dict, _args, budget) => {
    budget.list(dict.size * 2, true);
    return new Map(dict);
  },
  update: (dict, [more], budget) => {
    if (!(more instanceof Map)) throw new Error(`'${typeName(more)}' object is not a mapping`);
    budget.list(dict.size + more.size, true);
    for (const [key, value] of more) dict.set(key, value);
    return null;
  },
  setdefault: (dict, [key, value = null]) => {
    if (!dict.has(key)) dict.set(key, value);
    return dict.get(key);
  },
  pop: (dict, [key, otherwise]) => {
    const value = dict.has(key) ? dict.get(key) : otherwise;
    dict.delete(key);
    return value;
  },
};

const own = <T>(methods: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(methods, name) ? methods[name] : undefined;

function methodOf(object: Value, name: string, budget: Budget): Callable | null {
  if (typeof object === 'string') return stringMethod(object, name, budget);
  if (Array.isArray(object)) {
    const method = own(listMethods, name);
    return method ? (args) => method(object, args, budget) : null;
  }
  if (object instanceof Map) {
    const method = own(dictMethods, name);
    return method ? (args) => method(object, args, budget) : null;
  }
  return null;
}

function itemOf(object: Value, key: Value): Value {
  if (object instanceof Map) return object.get(key);
  if (object instanceof Namespace) return typeof key === 'string' ? object.fields.get(key) : undefined;
  const at = whole(key);
  if (at === null) return undefined;
  if (Array.isArray(object)) return object.at(at);
  if (object instanceof Tuple) return object.items.at(at);
  return typeof object === 'string' ? characterAt(object, at) : undefined;
}

function characterAt(text: string, at: number): Value {
  // Without characters of two units each place is one.
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).at(at) : text.at(at);
}

/** `object.name`: a method first, then the item of that name. */
export function attributeOf(object: Value, name: Value, budget: Budget): Value {
  if (object === undefined) throw new Error(`undefined has no attributes`);
  return (typeof name === 'string' ? methodOf(object, name, budget) : null) ?? itemOf(object, name);
}

/** `object[key]`: an item first, then the method of that name. */
export function subscriptOf(object: Value, key: Value, budget: Budget): Value {
  if (object === undefined) throw new Error('undefined has no items');
  const item = itemOf(object, key);
  return item === undefined && typeof key === 'string' ? (methodOf(object, key, budget) ?? undefined) : item;
}

/** `object[start:stop:step]`. */
export function sliceOf(object: Value, bounds: readonly [Value, Value, Value], budget: Budget): Value {
  const [start, stop, step] = bounds.map((bound) => (bound === undefined ? null : whole(bound)));
  const isText = typeof object === 'string';
  const all = isText ? object : Array.isArray(object) ? object : object instanceof Tuple ? object.items : null;
  if (all === null) throw new Error(`'${typeName(object)}' object is not subscriptable`);
  // A text of code points that are all of one unit is cut as it is.
  if (isText && (step ?? 1) === 1 && !/[\ud800-\udfff]/.test(object))
    return object.slice(start ?? 0, stop ?? undefined);
  const items: readonly Value[] = isText ? Array.from(all as string) : (all as readonly Value[]);
  const made = picked(items, start ?? null, stop ?? null, step ?? 1);
  budget.list(made.length, true);
  if (isText) return (made as string[]).join('');
  return object instanceof Tuple ? new Tuple(made) : made;
}

function picked(items: readonly Value[], start: number | null, stop: number | null, step: number): Value[] {
  if (step === 0) throw new Error('slice step cannot be zero');
  if (step === 1) return items.slice(start ?? 0, stop ?? undefined);
  const { length } = items;
  const bound = (at: number, low: number, high: number) => Math.min(high, Math.max(low, at < 0 ? at + length : at));
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const from = start === null ? (step > 0 ? low : high) : bound(start, low, high);
  const to = stop === null ? (step > 0 ? high : low) : bound(stop, low, high);
  const made: Value[] = [];
  for (let at = from; step > 0 ? at < to : at > to; at += step) made.push(items[at]);
  return made;
}

/** A value below another one, by a path such as `function.name` or `0`. */
export function pathOf(value: Value, path: Value, budget: Budget): Value {
  const parts = typeof path === 'string' ? path.split('.') : [path];
  return parts.reduce<Value>((at, part) => {
    if (at === undefined) return undefined;
    const key = typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part;
    return subscriptOf(at, key, budget);
  }, value);
}
