import { invalidRequest } from '../../kernel/errors.ts';
import type { FieldValue, IndexFilter } from '../../ports/search-index.ts';

// Filters as clients write them become the tree of the port. Source: decisions section 5.

/** The fields that filters may name in the collections that are searched. */
export interface FilterFields {
  /** Whether a field is indexed or built in. */
  readonly has: (field: string) => boolean;
  /** Whether its values are times: ISO 8601 text in a filter, milliseconds since 1970 in the index. */
  readonly isTime: (field: string) => boolean;
}

/** Deeper trees and longer lists are no filters of people; they bound the work of one search. */
const MAX_DEPTH = 10;
const MAX_LEAVES = 100;
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 1_000;
/** Longest text that is compared by its order. */
const MAX_ORDERED_LENGTH = 128;

interface Reading {
  readonly fields: FilterFields;
  leaves: number;
}

/**
 * The tree of a filter such as `{"department":"HR","year":{"$gte":2020}}`; null where it asks for nothing.
 * Throws StudioError `invalid_request`, whose `param` leads to what is wrong.
 */
export function parseFilters(filters: unknown, fields: FilterFields, path = 'filters'): IndexFilter | null {
  return readConditions(filters, path, 0, { fields, leaves: 0 });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const joined = (op: 'and' | 'or', of: readonly IndexFilter[]): IndexFilter =>
  of.length === 1 && of[0] !== undefined ? of[0] : { op, of };

/** Fields and `$and`, `$or`, `$not` of one object, all of which must hold. */
function readConditions(value: unknown, path: string, depth: number, reading: Reading): IndexFilter | null {
  if (!isObject(value)) throw invalidRequest(`${path} must be an object of fields and conditions`, path);
  if (depth > MAX_DEPTH) throw invalidRequest(`${path} is nested more than ${MAX_DEPTH} deep`, path);
  const all = Object.entries(value).flatMap(([key, condition]) => {
    const at = `${path}.${key}`;
    if (!key.startsWith('$')) return readField(key, condition, at, depth, reading);
    return readJoint(key, condition, at, depth, reading);
  });
  return all.length === 0 ? null : joined('and', all);
}

function readJoint(key: string, value: unknown, at: string, depth: number, reading: Reading): IndexFilter {
  if (key === '$not') return { op: 'not', of: readConditions(value, at, depth + 1, reading) ?? { op: 'and', of: [] } };
  if (key !== '$and' && key !== '$or')
    throw invalidRequest(`${at} is no operator here; $and, $or and $not join conditions`, at);
  if (!Array.isArray(value) || value.length === 0)
    throw invalidRequest(`${at} must be a list of at least one condition`, at);
  if (value.length > MAX_LEAVES) throw invalidRequest(`${at} has more than ${MAX_LEAVES} conditions`, at);
  const parts = value.map((part: unknown, index) => {
    const place = `${at}[${index}]`;
    return readConditions(part, place, depth + 1, reading) ?? ({ op: 'and', of: [] } satisfies IndexFilter);
  });
  return joined(key === '$and' ? 'and' : 'or', parts);
}

function readField(field: string, value: unknown, at: string, depth: number, reading: Reading): IndexFilter[] {
  if (!reading.fields.has(field))
    throw invalidRequest(`${JSON.stringify(field)} is no field that can be filtered by: it is not indexed`, at);
  if (!isObject(value)) return [readOperator('$eq', field, value, at, depth, reading)];
  const entries = Object.entries(value);
  if (entries.length === 0) throw invalidRequest(`${at} must name an operator such as $eq`, at);
  return entries.map(([operator, operand]) =>
    readOperator(operator, field, operand, `${at}.${operator}`, depth, reading),
  );
}

const comparisons = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const;
const isComparison = (operator: string): operator is keyof typeof comparisons => Object.hasOwn(comparisons, operator);
const operators = ['$eq', '$ne', '$in', '$nin', ...Object.keys(comparisons), '$exists', '$contains', '$not'];

function readOperator(
  operator: string,
  field: string,
  operand: unknown,
  at: string,
  depth: number,
  reading: Reading,
): IndexFilter {
  if (++reading.leaves > MAX_LEAVES) throw invalidRequest(`filters have more than ${MAX_LEAVES} conditions`, at);
  const not = (of: IndexFilter): IndexFilter => ({ op: 'not', of });
  const oneOf = (values: readonly unknown[]) => readAlternatives(field, values, at, reading.fields);
  if (isComparison(operator)) return readComparison(comparisons[operator], field, operand, at, reading.fields);
  switch (operator) {
    case '$eq':
      // A list in the place of a value names alternatives, as $in does.
      return oneOf(Array.isArray(operand) ? listOf(operand, at) : [operand]);
    case '$ne':
      return not(oneOf(Array.isArray(operand) ? listOf(operand, at) : [operand]));
    case '$in':
      return oneOf(listOf(operand, at));
    case '$nin':
      return not(oneOf(listOf(operand, at)));
    case '$exists':
      if (typeof operand !== 'boolean') throw invalidRequest(`${at} must be true or false`, at);
      return operand ? { op: 'exists', field } : not({ op: 'exists', field });
    case '$contains':
      if (reading.fields.isTime(field)) throw invalidRequest(`${at}: a time contains nothing`, at);
      return { op: 'contains', field, value: readValue(operand, at) };
    case '$not': {
      if (!isObject(operand)) throw invalidRequest(`${at} must be an object of operators`, at);
      if (depth >= MAX_DEPTH) throw invalidRequest(`${at} is nested more than ${MAX_DEPTH} deep`, at);
      return not(joined('and', readField(field, operand, at, depth + 1, reading)));
    }
    default:
      throw invalidRequest(`${at} is no operator; there are ${operators.join(', ')}`, at);
  }
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidRequest(`${at} must be a list`, at);
  if (value.length > MAX_VALUES) throw invalidRequest(`${at} has more than ${MAX_VALUES} values`, at);
  return value;
}

/** Equal to one of them; null stands for a field that is missing. */
function readAlternatives(field: string, values: readonly unknown[], at: string, fields: FilterFields): IndexFilter {
  const given = values.filter((value) => value !== null);
  const leaf: IndexFilter = {
    op: 'in',
    field,
    values: given.map((value) => (fields.isTime(field) ? readTime(value, at) : readValue(value, at))),
  };
  if (given.length === values.length) return leaf;
  const missing: IndexFilter = { op: 'not', of: { op: 'exists', field } };
  return given.length === 0 ? missing : { op: 'or', of: [leaf, missing] };
}

function readComparison(
  op: 'gt' | 'gte' | 'lt' | 'lte',
  field: string,
  operand: unknown,
  at: string,
  fields: FilterFields,
): IndexFilter {
  const value = fields.isTime(field) ? readTime(operand, at) : readValue(operand, at);
  if (typeof value === 'boolean') throw invalidRequest(`${at} must be a number or a text`, at);
  if (typeof value === 'string' && value.length > MAX_ORDERED_LENGTH)
    throw invalidRequest(`${at} must be at most ${MAX_ORDERED_LENGTH} characters long`, at);
  return { op, field, value };
}

function readValue(value: unknown, at: string): FieldValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string') throw invalidRequest(`${at} must be a text, a number, true or false`, at);
  if (value.length > MAX_TEXT_LENGTH)
    throw invalidRequest(`${at} must be at most ${MAX_TEXT_LENGTH} characters long`, at);
  // Korean text of macOS comes taken apart; what is compared is always put together.
  return value.normalize('NFC');
}

/** A time as milliseconds since 1970. A day alone is its first moment in UTC. */
function readTime(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw invalidRequest(`${at} must be a time such as 2026-03-01T09:00:00Z`, at);
  return time;
}
