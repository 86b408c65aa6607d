import { Float, Namespace, Tuple, type Value, compare, contains, equal, isNumber, numberOf } from './values.ts';

// Source: Jinja, "Template Designer Documentation", List of Builtin Tests.

export type Test = (value: Value, argument: Value) => boolean;

const isString = (value: Value): value is string => typeof value === 'string';
const isInteger = (value: Value): value is number => typeof value === 'number' && Number.isInteger(value);
const same: Test = (a, b) => equal(a, b);
const divides = (value: Value, by: Value) => isNumber(value) && isNumber(by) && numberOf(value) % numberOf(by) === 0;
const isIterable = (value: Value) =>
  value === undefined || isString(value) || Array.isArray(value) || value instanceof Tuple || value instanceof Map;

const before: Test = (a, b) => compare(a, b) < 0;
const after: Test = (a, b) => compare(a, b) > 0;

const tests: Readonly<Record<string, Test>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  string: isString,
  number: isNumber,
  integer: isInteger,
  float: (value) => value instanceof Float || (typeof value === 'number' && !Number.isInteger(value)),
  mapping: (value) => value instanceof Map,
  sequence: (value) => value !== undefined && isIterable(value),
  iterable: isIterable,
  callable: (value) => typeof value === 'function',
  odd: (value) => isNumber(value) && !divides(value, 2),
  even: (value) => divides(value, 2),
  divisibleby: divides,
  lower: (value) => isString(value) && value !== value.toUpperCase() && value === value.toLowerCase(),
  upper: (value) => isString(value) && value !== value.toLowerCase() && value === value.toUpperCase(),
  in: (value, list) => contains(list, value),
  sameas: (a, b) => a === b && !(a instanceof Namespace && a !== b),
  eq: same,
  equalto: same,
  '==': same,
  ne: (a, b) => !equal(a, b),
  '!=': (a, b) => !equal(a, b),
  lt: before,
  lessthan: before,
  '<': before,
  gt: after,
  greaterthan: after,
  '>': after,
  le: (a, b) => compare(a, b) <= 0,
  '<=': (a, b) => compare(a, b) <= 0,
  ge: (a, b) => compare(a, b) >= 0,
  '>=': (a, b) => compare(a, b) >= 0,
};

/** A test by its name. Throws for one that there is not. */
export function testOf(name: string): Test {
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
  if (!test) throw new Error(`No test named '${name}'`);
  return test;
}
