import type { IndexFilter } from '../../../ports/search-index.ts';
import { encodeValue, escapeSeparators, fact, presence, sortable } from '../../search-facts.ts';
import { fitted, OVERLAP, PIECE_TYPE } from './values.ts';

// Filters as queries of OpenSearch. What a client wrote gets there as a value of JSON, never as a part of a query language; only `contains`
// needs patterns, whose signs are escaped.

export type Query = Readonly<Record<string, unknown>>;

const ALL: Query = { match_all: {} };
const NONE: Query = { match_none: {} };

/**
 * States that the automaton of one pattern is made of, each as often as it stands for a place in the text: 1,000 for a text that does not
 * repeat itself, the square of its length for one that does. OpenSearch 3.5.0 gives up at some 50,000.
 */
const MAX_STATES = 30_000;
/** Patterns of one condition; a query may have 1,024 clauses. */
const MAX_PATTERNS = 8;
/** The first texts after those of a type: numbers begin with `n`, texts with `s`. */
const AFTER = { n: 'o', s: 't' } as const;

const anyOf = (queries: readonly Query[]): Query => ({ bool: { should: queries, minimum_should_match: 1 } });
const oneOf = (field: string, values: readonly string[]): Query =>
  values.length === 0 ? NONE : { terms: { [field]: [...new Set(values)] } };

const literal = (text: string): string => text.replace(/[\\*?]/g, String.raw`\$&`);
const pattern = (field: string, value: string): Query => ({ wildcard: { [field]: { value } } });

/** A text in pieces of whole signs, each as long as one pattern may be, and as a long value surely holds it in one of its own pieces. */
function* piecesOf(text: string): Generator<string, undefined> {
  let piece: string[] = [];
  let [units, states] = [0, 0];
  /** For each beginning of the piece: the length of the longest shorter one that it ends with, and how many it ends with. Source: Knuth, Morris, Pratt. */
  let [borders, counts]: [number[], number[]] = [[], []];
  for (const sign of text) {
    if (units + sign.length > OVERLAP || states > MAX_STATES) {
      yield piece.join('');
      piece = [];
      [units, states] = [0, 0];
      [borders, counts] = [[], []];
    }
    let border = borders.at(-1) ?? 0;
    while (border > 0 && piece[border] !== sign) border = borders[border - 1] ?? 0;
    if (piece[border] === sign) border++;
    const count = 1 + (counts[border - 1] ?? 0);
    piece.push(sign);
    borders.push(border);
    counts.push(count);
    units += sign.length;
    states += count;
  }
  yield piece.join('');
}

/** Rows of which a value contains the text. Where it is too long for one pattern, its pieces must all be there. */
const contains = (field: string, beginnings: readonly string[], text: string): Query => ({
  bool: {
    filter: [...piecesOf(text)]
      .slice(0, MAX_PATTERNS)
      .map((piece) => anyOf(beginnings.map((start) => pattern(field, `${literal(start)}*${literal(piece)}*`)))),
  },
});

type Leaf = Exclude<IndexFilter, { readonly op: 'and' | 'or' | 'not' }>;

function ofDocument(leaf: Leaf): Query {
  if (leaf.op === 'exists') return ALL;
  if (leaf.op === 'in')
    return oneOf('document_id', leaf.values.filter((value) => typeof value === 'string').map(fitted));
  if (typeof leaf.value !== 'string') return NONE;
  if (leaf.op === 'contains') return contains('document_id', [''], leaf.value.toWellFormed());
  return { range: { document_id: { [leaf.op]: fitted(leaf.value) } } };
}

function ofFact(leaf: Leaf): Query {
  const { field } = leaf;
  const start = presence(field);
  if (leaf.op === 'exists') return oneOf('facts', [fitted(start)]);
  if (leaf.op === 'in')
    return oneOf(
      'facts',
      leaf.values.map((value) => fitted(fact(field, value))),
    );
  const { value } = leaf;
  if (leaf.op === 'contains') {
    if (typeof value !== 'string') return oneOf('facts', [fact(field, value)]);
    return contains('facts', [`${start}s`, start + PIECE_TYPE], escapeSeparators(value));
  }
  const type = typeof value === 'number' ? 'n' : 's';
  const bound = fitted(start + (typeof value === 'number' ? type + sortable(value) : encodeValue(value)));
  return leaf.op === 'gt' || leaf.op === 'gte'
    ? { range: { facts: { [leaf.op]: bound, lt: start + AFTER[type] } } }
    : { range: { facts: { gte: start + type, [leaf.op]: bound } } };
}

/** A query that holds for the rows of a filter. */
export function filterQuery(filter: IndexFilter): Query {
  switch (filter.op) {
    case 'and':
      return filter.of.length === 0 ? ALL : { bool: { filter: filter.of.map(filterQuery) } };
    case 'or':
      return filter.of.length === 0 ? NONE : anyOf(filter.of.map(filterQuery));
    case 'not':
      return { bool: { must_not: [filterQuery(filter.of)] } };
    default:
      return filter.field === 'document_id' ? ofDocument(filter) : ofFact(filter);
  }
}
