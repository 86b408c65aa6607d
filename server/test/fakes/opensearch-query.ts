// How the fake of OpenSearch finds rows: the queries that are asked of it, evaluated in the plainest way.

/** A row as it was written. */
export interface Source {
  readonly document_id?: string;
  readonly facts?: readonly string[];
  readonly terms?: readonly string[];
  readonly stems?: readonly string[];
  readonly vector?: readonly number[];
  readonly [field: string]: unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of a request, which fails as it does when it is not what it should be
export type Query = Readonly<Record<string, any>>;

/** A query that the real one refuses too. */
export class Refused extends Error {}

/** Source: OpenSearch, indices.query.bool.max_clause_count. */
const MAX_CLAUSES = 1_024;
/** Source: OpenSearch, index.max_terms_count. */
const MAX_TERMS = 65_536;
const [K1, B] = [1.2, 0.75];

const valuesOf = (source: Source, field: string): readonly string[] => {
  const value = source[field];
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
};

const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function only(query: Query): readonly [string, Query] {
  const [[kind, value] = ['', {}], ...more] = Object.entries(query);
  if (more.length > 0 || kind === '') throw new Refused(`[${kind}] malformed query`);
  return [kind, value as Query];
}

const literal = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);

/** A pattern with `*`, `?` and `\` as a regular expression. */
function expressionOf(pattern: string): RegExp {
  let text = '';
  for (let signs = Array.from(pattern), at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? '';
    if (sign === '*') text += '.*';
    else if (sign === '?') text += '.';
    else text += literal(sign === '\\' ? (signs[++at] ?? '\\') : sign);
  }
  return new RegExp(`^${text}$`, 'su');
}

function inRange(value: string, range: Query): boolean {
  return Object.entries(range).every(([op, bound]) => {
    const order = compare(value, String(bound));
    if (op === 'gt') return order > 0;
    if (op === 'gte') return order >= 0;
    if (op === 'lt') return order < 0;
    if (op === 'lte') return order <= 0;
    throw new Refused(`[range] query does not support [${op}]`);
  });
}

/** Whether a row is one that a query asks for. */
export function matches(query: Query, source: Source): boolean {
  const [kind, value] = only(query);
  if (kind === 'match_all') return true;
  if (kind === 'match_none') return false;
  if (kind === 'bool') {
    const { filter = [], must_not: mustNot = [], should = [], minimum_should_match: needed = 0 } = value;
    const holds = (one: Query) => matches(one, source);
    return filter.every(holds) && !mustNot.some(holds) && should.filter(holds).length >= needed;
  }
  if (kind === 'exists') return valuesOf(source, String(value['field'])).length > 0;
  const [field, wanted] = only(value);
  const values = valuesOf(source, field);
  if (kind === 'term') return values.includes(String(typeof wanted === 'object' ? wanted['value'] : wanted));
  if (kind === 'terms') {
    const list = value[field] as readonly string[];
    if (list.length > MAX_TERMS) throw new Refused('too many terms');
    return values.some((one) => list.includes(one));
  }
  if (kind === 'range') return values.some((one) => inRange(one, wanted));
  if (kind === 'wildcard') {
    const expression = expressionOf(String(wanted['value']));
    return values.some((one) => expression.test(one));
  }
  throw new Refused(`unknown query [${kind}]`);
}

function countClauses(query: Query): number {
  const [kind, value] = only(query);
  if (kind !== 'bool') return 1;
  return [...(value['filter'] ?? []), ...(value['must_not'] ?? []), ...(value['should'] ?? [])].reduce(
    (sum: number, one: Query) => sum + countClauses(one),
    0,
  );
}

export interface Found {
  readonly id: string;
  readonly source: Source;
  readonly score: number;
}

const length = (vector: readonly number[]): number => Math.hypot(...vector);
const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / (length(a) * length(b));

/** Points of a word by BM25, as Lucene counts them: without the factor k1 + 1. */
function wordScore(rows: ReadonlyMap<string, Source>, field: string, word: string): (source: Source) => number {
  const lists = [...rows.values()].map((source) => valuesOf(source, field)).filter((list) => list.length > 0);
  const having = lists.filter((list) => list.includes(word)).length;
  const average = lists.reduce((sum, list) => sum + list.length, 0) / Math.max(1, lists.length);
  const rarity = Math.log(1 + (lists.length - having + 0.5) / (having + 0.5));
  return (source) => {
    const list = valuesOf(source, field);
    const times = list.filter((one) => one === word).length;
    return (rarity * times) / (times + K1 * (1 - B + (B * list.length) / average));
  };
}

/** The rows that a query asks for, best first. Throws Refused. */
export function find(rows: ReadonlyMap<string, Source>, query: Query, size: number): Found[] {
  if (countClauses(query) > MAX_CLAUSES) throw new Refused('too_many_nested_clauses');
  const [kind, value] = only(query);
  let scoreOf = (_: Source): number => 1;
  let wanted = (source: Source): boolean => matches(query, source);
  if (kind === 'knn') {
    const { vector, k, filter } = value['vector'] ?? {};
    if (!(vector as number[]).some((one) => one !== 0)) throw new Refused('zero vector is not supported');
    if (k > 10_000) throw new Refused('[knn] requires k <= 10000');
    scoreOf = ({ vector: own = [] }) => (1 + cosine(own, vector)) / 2;
    wanted = (source) => source.vector !== undefined && (filter === undefined || matches(filter, source));
  } else if (kind === 'ids') {
    const ids = new Set(value['values'] as readonly string[]);
    return [...rows].flatMap(([id, source]) => (ids.has(id) ? [{ id, source, score: 1 }] : [])).slice(0, size);
  } else if (kind === 'bool') {
    const parts = ((value['should'] ?? []) as readonly Query[]).map((clause) => {
      const [field, { value: word, boost = 1 }] = only(clause['term'] ?? {});
      const score = wordScore(rows, field, String(word));
      return (source: Source) => boost * score(source);
    });
    scoreOf = (source) => parts.reduce((sum, part) => sum + part(source), 0);
  }
  return [...rows]
    .filter(([, source]) => wanted(source))
    .map(([id, source]) => ({ id, source, score: scoreOf(source) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, size);
}
