import type { IndexFilter } from '../../../ports/search-index.ts';
import { fact, plain, presence, RECORD, sortable } from './facts.ts';

// Filters as conditions of the engine. Whatever a client wrote gets there as a quoted text or as escaped signs of a pattern, never as
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
      return filter.field === 'document_id' ? ofDocument(filter) : ofFacts(filter);
  }
}

type Leaf = Exclude<IndexFilter, { readonly op: 'and' | 'or' | 'not' }>;

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The id of the document has a column of its own. */
function ofDocument(leaf: Leaf): string {
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

function ofFacts(leaf: Leaf): string {
  const { field } = leaf;
  if (leaf.op === 'exists') return `array_has(facts, ${quoted(presence(field))})`;
  if (leaf.op === 'in') return anyOf(leaf.values.map((value) => fact(field, value)));
  if (leaf.op === 'contains') {
    if (typeof leaf.value !== 'string') return anyOf([fact(field, leaf.value)]);
    return matching(`${escaped(`${presence(field)}s`)}[^${escaped(RECORD)}]*${escaped(plain(leaf.value))}`);
  }
  const { value } = leaf;
  const [type, text] = typeof value === 'number' ? ['n', sortable(value)] : ['s', plain(value)];
  const isMore = leaf.op === 'gt' || leaf.op === 'gte';
  const pattern = isMore ? moreThan(text, leaf.op === 'gte') : lessThan(text, leaf.op === 'lte');
  return matching(`${escaped(presence(field) + type)}(?:${pattern})`);
}

const anyOf = (facts: readonly string[]): string => {
  const [first] = facts;
  if (first === undefined) return 'false';
  return facts.length === 1
    ? `array_has(facts, ${quoted(first)})`
    : `array_has_any(facts, [${facts.map(quoted).join(', ')}])`;
};

/** Some fact begins so. */
const matching = (pattern: string): string =>
  `regexp_like(array_to_string(facts, ${quoted(RECORD)}), ${quoted(`(?s)(?:^|${escaped(RECORD)})${pattern}`)})`;

const hex = (point: number): string => String.raw`\x{${point.toString(16)}}`;
const escaped = (text: string): string => Array.from(text, (sign) => hex(sign.codePointAt(0) ?? 0)).join('');

const LAST_POINT = 0x10ffff;
const FIRST_HALF = 0xd800;
const LAST_HALF = 0xdfff;
const RECORD_POINT = RECORD.charCodeAt(0);

/** Any sign from one to another, without the one that ends a fact and halves of pairs, which no text holds. Null where none is left. */
function signs(from: number, to: number): string | null {
  const parts: readonly (readonly [number, number])[] = [
    [from, Math.min(to, RECORD_POINT - 1)],
    [Math.max(from, RECORD_POINT + 1), Math.min(to, FIRST_HALF - 1)],
    [Math.max(from, LAST_HALF + 1), to],
  ];
  const ranges = parts.filter(([first, last]) => first <= last);
  return ranges.length === 0 ? null : `[${ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`).join('')}]`;
}

/** Patterns of texts by where they first differ from this one; `next` says which signs may stand there. */
function differing(text: string, next: (point: number) => string | null): string[] {
  const points = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  let before = '';
  return points.flatMap((point) => {
    const allowed = next(point);
    const pattern = allowed === null ? [] : [before + allowed];
    before += hex(point);
    return pattern;
  });
}

const ENDED = `(?:${escaped(RECORD)}|$)`;

const moreThan = (text: string, orEqual: boolean): string =>
  [
    ...differing(text, (point) => signs(point + 1, LAST_POINT)),
    orEqual ? escaped(text) : `${escaped(text)}[^${escaped(RECORD)}]`,
  ].join('|');

function lessThan(text: string, orEqual: boolean): string {
  const points = Array.from(text);
  const beginnings = points.map((_, length) => escaped(points.slice(0, length).join('')) + ENDED);
  return [
    ...differing(text, (point) => signs(0, point - 1)),
    ...beginnings,
    ...(orEqual ? [escaped(text) + ENDED] : []),
    // Nothing is less than the empty text: a class that no sign is in.
    ...(points.length === 0 && !orEqual ? [String.raw`[^\x{0}-\x{10ffff}]`] : []),
  ].join('|');
}
