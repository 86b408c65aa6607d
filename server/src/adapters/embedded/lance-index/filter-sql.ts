import type { IndexFilter } from '../../../ports/search-index.ts';
import { fact, escapeSeparators, presence, RECORD_SEPARATOR, sortable } from '../../search-facts.ts';

// Filters as conditions of the engine. Whatever a client wrote gets there as a quoted text or as escaped characters of a pattern, never as
// a part of the language.

/** A text as a literal. Source: SQL, where the only special sign within quotes is the quote. */
export const quoted = (text: string): string => `'${text.toWellFormed().replaceAll("'", "''")}'`;

export const oneOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} IN (${values.map(quoted).join(', ')})`;

/** A condition of the engine that holds for the rows of a filter. */
export function filterSql(filter: IndexFilter): string {
  switch (filter.op) {
    case 'and':
      return filter.of.length === 0 ? 'true' : `(${filter.of.map(filterSql).join(' AND ')})`;
    case 'or':
      return filter.of.length === 0 ? 'false' : `(${filter.of.map(filterSql).join(' OR ')})`;
    case 'not':
      return `(NOT ${filterSql(filter.of)})`;
    default:
      return filter.field === 'document_id' ? documentCondition(filter) : factCondition(filter);
  }
}

type Leaf = Exclude<IndexFilter, { readonly op: 'and' | 'or' | 'not' }>;

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The id of the document has a column of its own. */
function documentCondition(leaf: Leaf): string {
  if (leaf.op === 'exists') return 'true';
  if (leaf.op === 'in')
    return oneOf(
      'document_id',
      leaf.values.filter((value) => typeof value === 'string'),
    );
  if (typeof leaf.value !== 'string') return 'false';
  if (leaf.op === 'contains') return `contains(document_id, ${quoted(leaf.value)})`;
  return `(document_id ${comparisons[leaf.op]} ${quoted(leaf.value)})`;
}

function factCondition(leaf: Leaf): string {
  const { field } = leaf;
  if (leaf.op === 'exists') return `array_has(facts, ${quoted(presence(field))})`;
  if (leaf.op === 'in') return hasAnyFact(leaf.values.map((value) => fact(field, value)));
  if (leaf.op === 'contains') {
    if (typeof leaf.value !== 'string') return hasAnyFact([fact(field, leaf.value)]);
    return someFactMatches(
      `${escaped(`${presence(field)}s`)}[^${escaped(RECORD_SEPARATOR)}]*${escaped(escapeSeparators(leaf.value))}`,
    );
  }
  const { value } = leaf;
  const [type, text] = typeof value === 'number' ? ['n', sortable(value)] : ['s', escapeSeparators(value)];
  const isMore = leaf.op === 'gt' || leaf.op === 'gte';
  const pattern = isMore ? moreThan(text, leaf.op === 'gte') : lessThan(text, leaf.op === 'lte');
  return someFactMatches(`${escaped(presence(field) + type)}(?:${pattern})`);
}

const hasAnyFact = (facts: readonly string[]): string => {
  const [first] = facts;
  if (first === undefined) return 'false';
  return facts.length === 1
    ? `array_has(facts, ${quoted(first)})`
    : `array_has_any(facts, [${facts.map(quoted).join(', ')}])`;
};

/** A condition that some fact starts with the pattern. */
const someFactMatches = (pattern: string): string =>
  `regexp_like(array_to_string(facts, ${quoted(RECORD_SEPARATOR)}), ${quoted(`(?s)(?:^|${escaped(RECORD_SEPARATOR)})${pattern}`)})`;

const hex = (point: number): string => String.raw`\x{${point.toString(16)}}`;
const escaped = (text: string): string => Array.from(text, (sign) => hex(sign.codePointAt(0) ?? 0)).join('');

const MAX_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
const RECORD_POINT = RECORD_SEPARATOR.charCodeAt(0);

/** A character class from one code point to another, without the record separator and surrogates. Null when it would be empty. */
function charRange(from: number, to: number): string | null {
  const parts: readonly (readonly [number, number])[] = [
    [from, Math.min(to, RECORD_POINT - 1)],
    [Math.max(from, RECORD_POINT + 1), Math.min(to, FIRST_SURROGATE - 1)],
    [Math.max(from, LAST_SURROGATE + 1), to],
  ];
  const ranges = parts.filter(([first, last]) => first <= last);
  return ranges.length === 0 ? null : `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('')}]`;
}

/** Patterns of texts, one per position of the first difference from this text; `next` returns the characters allowed there. */
function firstDifferencePatterns(text: string, next: (point: number) => string | null): string[] {
  const points = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  let before = '';
  return points.flatMap((point) => {
    const allowed = next(point);
    const pattern = allowed === null ? [] : [before + allowed];
    before += hex(point);
    return pattern;
  });
}

const FACT_END = `(?:${escaped(RECORD_SEPARATOR)}|$)`;

const moreThan = (text: string, orEqual: boolean): string =>
  [
    ...firstDifferencePatterns(text, (point) => charRange(point + 1, MAX_CODE_POINT)),
    orEqual ? escaped(text) : `${escaped(text)}[^${escaped(RECORD_SEPARATOR)}]`,
  ].join('|');

function lessThan(text: string, orEqual: boolean): string {
  const points = Array.from(text);
  const beginnings = points.map((_, length) => escaped(points.slice(0, length).join('')) + FACT_END);
  return [
    ...firstDifferencePatterns(text, (point) => charRange(0, point - 1)),
    ...beginnings,
    ...(orEqual ? [escaped(text) + FACT_END] : []),
    // Nothing is less than the empty text: a class that no sign is in.
    ...(points.length === 0 && !orEqual ? [String.raw`[^\x{0}-\x{10ffff}]`] : []),
  ].join('|');
}
