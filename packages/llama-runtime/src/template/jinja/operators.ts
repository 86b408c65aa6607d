import type { Budget } from './budget.ts';
import { formatted } from './printf.ts';
import {
  Tuple,
  type Value,
  compare,
  contains,
  equal,
  floatOf,
  isFloat,
  isNumber,
  numberOf,
  textOf,
  typeName,
} from './values.ts';

const refuse = (operator: string, a: Value, b: Value): never => {
  if (a === undefined || b === undefined) throw new Error(`undefined value before or after ${operator}`);
  throw new Error(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
};

function calculate(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '**':
      return a ** b;
    default:
  }
  if (b === 0) throw new Error('division by zero');
  if (operator === '/') return a / b;
  return operator === '//' ? Math.floor(a / b) : a - b * Math.floor(a / b);
}

function repeated(value: Value, times: number, budget: Budget): Value {
  const count = Math.max(0, times);
  if (typeof value === 'string') {
    budget.text(value.length * count);
    return value.repeat(count);
  }
  const items = Array.isArray(value) ? value : value instanceof Tuple ? value.items : null;
  if (items === null) return refuse('*', value, times);
  // Nothing is nothing, however often.
  if (items.length === 0) return Array.isArray(value) ? [] : new Tuple([]);
  budget.list(items.length * count, true);
  const made = Array.from({ length: count }, () => items).flat();
  return Array.isArray(value) ? made : new Tuple(made);
}

function sum(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === 'string' && typeof b === 'string') {
    budget.joined(a.length + b.length);
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    budget.list(a.length + b.length, true);
    return [...a, ...b];
  }
  if (a instanceof Tuple && b instanceof Tuple) {
    budget.list(a.items.length + b.items.length, true);
    return new Tuple([...a.items, ...b.items]);
  }
  return refuse('+', a, b);
}

function ordered(operator: string, a: Value, b: Value): boolean {
  if (a === undefined || b === undefined) return refuse(operator, a, b);
  const order = compare(a, b);
  return operator === '<' ? order < 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order >= 0;
}

/** What an operator makes of two values, as in Python. Throws for what it does not take. */
export function operate(operator: string, a: Value, b: Value, budget: Budget): Value {
  switch (operator) {
    case '==':
      return equal(a, b);
    case '!=':
      return !equal(a, b);
    case 'in':
      return contains(b, a);
    case 'not in':
      return !contains(b, a);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return ordered(operator, a, b);
    case '~': {
      const [first, second] = [textOf(a, budget), textOf(b, budget)];
      budget.joined(first.length + second.length);
      return first + second;
    }
    default:
  }
  if (isNumber(a) && isNumber(b)) {
    const result = calculate(operator, numberOf(a), numberOf(b));
    const fraction = operator === '/' || isFloat(a) || isFloat(b) || (operator === '**' && numberOf(b) < 0);
    return fraction ? floatOf(result) : result;
  }
  if (operator === '+') return sum(a, b, budget);
  if (operator === '%' && typeof a === 'string')
    return formatted(a, b instanceof Tuple ? b.items : b instanceof Map ? b : [b], budget);
  if (operator === '*' && isNumber(b) && !isFloat(b)) return repeated(a, numberOf(b), budget);
  if (operator === '*' && isNumber(a) && !isFloat(a)) return repeated(b, numberOf(a), budget);
  return refuse(operator, a, b);
}

/** A value with a sign. */
export function signed(operator: string, value: Value): Value {
  if (!isNumber(value)) throw new Error(`bad operand type for unary ${operator}: '${typeName(value)}'`);
  const result = operator === '-' ? -numberOf(value) : numberOf(value);
  return isFloat(value) ? floatOf(result) : result;
}
