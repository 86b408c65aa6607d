import type { Facts, PieceKind, Row } from './facts.ts';

/** Letters in a row that are looked for together. */
const GRAM = 3;
/** Letters in a row that mark a place, where they stand once in both texts. */
const ANCHOR = 8;
const MIN_ANCHORS = 5;
/** Pairs of rows that are compared at most; larger tables are compared row by row. */
const MAX_PAIRS = 40_000_000;
/** As often is a merged cell repeated at most. */
const MAX_PLACES = 100;

const count = <Key>(keys: Iterable<Key>): Map<Key, number> => {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

function* grams(text: string, size: number): Generator<string> {
  for (let at = 0; at + size <= text.length; at++) yield text.slice(at, at + size);
}

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

const shared = <Key>(wanted: ReadonlyMap<Key, number>, found: ReadonlyMap<Key, number>): number =>
  sum([...wanted].map(([key, times]) => Math.min(times, found.get(key) ?? 0)));

const joined = ({ pieces }: Facts, kinds?: ReadonlySet<PieceKind>): string =>
  pieces.map(({ kind, text }) => (kinds === undefined || kinds.has(kind) ? text : '')).join('');

/** Cells over several places once for each, as tables of Markdown have them. */
const repeated = ({ pieces }: Facts): string =>
  pieces.map(({ text, places }) => text.repeat(Math.min(places, MAX_PLACES))).join('');

/**
 * Share of the truth's text that was found, wherever it stands and whatever its blanks: runs of three letters of each
 * piece (shorter pieces whole), each found as often as the truth has it. `unmerged`: the truth repeats merged cells. Null
 * for a truth without text.
 */
export function textRecall(
  truth: Facts,
  found: Facts,
  kinds: ReadonlySet<PieceKind>,
  { unmerged = false } = {},
): number | null {
  const text = unmerged ? repeated(found) : joined(found);
  let wanted = 0;
  let got = 0;
  for (let size = 1; size <= GRAM; size++) {
    const pieces = truth.pieces.filter(
      (piece) => kinds.has(piece.kind) && (size === GRAM ? piece.text.length >= size : piece.text.length === size),
    );
    const grammed = count(pieces.flatMap((piece) => [...grams(piece.text, size)]));
    wanted += sum(grammed.values());
    got += shared(grammed, count(grams(text, size)));
  }
  return wanted === 0 ? null : got / wanted;
}

/** Length of the longest part of a sequence that rises. */
export function longestRise(values: readonly number[]): number {
  const ends: number[] = [];
  for (const value of values) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    ends[low] = value;
  }
  return ends.length;
}

const placesOf = (text: string): Map<string, number> => {
  const places = new Map<string, number>();
  let at = 0;
  for (const gram of grams(text, ANCHOR)) {
    places.set(gram, places.has(gram) ? -1 : at);
    at++;
  }
  return places;
};

/**
 * Share of the running text that stands in the truth's order: of all runs of eight letters that both texts have exactly
 * once, the largest part whose places rise in both. Null where there are next to none.
 */
export function textOrder(truth: Facts, found: Facts): number | null {
  const running = new Set<PieceKind>(['running']);
  const foundAt = placesOf(joined(found, running));
  const places: number[] = [];
  for (const [gram, at] of placesOf(joined(truth, running))) {
    const place = foundAt.get(gram) ?? -1;
    if (at >= 0 && place >= 0) places.push(place);
  }
  return places.length < MIN_ANCHORS ? null : longestRise(places) / places.length;
}

/**
 * Share of neighbouring sentences of the truth that were read whole and one right after the other: what interrupts one, such as the
 * labels of a chart, costs the pair before it and the one behind it. Sentences that stand more than once in the truth are left out;
 * null where no pair is left.
 */
export function sentenceOrder(truth: Facts, found: Facts): number | null {
  const text = joined(found, new Set<PieceKind>(['running']));
  const times = count(truth.sentences);
  const wanted = truth.sentences.filter((sentence) => times.get(sentence) === 1);
  const places = wanted.map((sentence) => text.indexOf(sentence));
  const ranks = new Map(
    places
      .filter((place) => place >= 0)
      .toSorted((a, b) => a - b)
      .map((place, rank) => [place, rank]),
  );
  const right = places.filter(
    (place, at) => at > 0 && ranks.has(place) && ranks.get(place) === (ranks.get(places[at - 1] ?? -1) ?? -2) + 1,
  );
  return wanted.length < 2 ? null : right.length / (wanted.length - 1);
}

const alike = (one: Row, other: Row): number => {
  let cells = 0;
  for (const [column, text] of one) if (other.get(column) === text) cells++;
  return cells;
};

/** Most cells that rows have in common, rows being paired in order. */
function pairedCells(truth: readonly Row[], found: readonly Row[]): number {
  if (truth.length * found.length > MAX_PAIRS) return sum(truth.map((row, at) => alike(row, found[at] ?? new Map())));
  let before = new Uint32Array(found.length + 1);
  for (const row of truth) {
    const line = new Uint32Array(found.length + 1);
    for (const [at, other] of found.entries())
      line[at + 1] = Math.max(line[at] ?? 0, before[at + 1] ?? 0, (before[at] ?? 0) + alike(row, other));
    before = line;
  }
  return before[found.length] ?? 0;
}

/** Right ones against what was wanted and what was found. */
export interface Hits {
  readonly right: number;
  readonly wanted: number;
  readonly found: number;
}

/** Mean of precision and recall; null where there was nothing to find and nothing was found. */
export const f1 = ({ right, wanted, found }: Hits): number | null =>
  wanted + found === 0 ? null : (2 * right) / (wanted + found);

const cellsOf = (rows: readonly Row[]): number => sum(rows.map((row) => row.size));

/**
 * Cells of tables: rows of all tables are paired in order so that as many cells as can be agree, and a cell is right where
 * the other row has the same text in the same column. A cell over several places counts in each; empty ones don't.
 */
export const tableCells = (truth: Facts, found: Facts): Hits => ({
  right: pairedCells(truth.rows, found.rows),
  wanted: cellsOf(truth.rows),
  found: cellsOf(found.rows),
});

/**
 * Paragraphs that are the same from their first letter to their last, wherever they stand in what was found: one that was cut, or put
 * together with another, is wrong.
 */
export function paragraphs(truth: Facts, found: Facts): Hits {
  const all = found.pieces.flatMap(({ kind, text }) => (kind === 'running' ? [text] : []));
  return {
    right: shared(count(truth.paragraphs), count(all)),
    wanted: truth.paragraphs.length,
    found: found.paragraphs.length,
  };
}

/** Words of the text outside of tables, wherever they stand: a blank too many or too few makes two of them wrong. */
export const words = (truth: Facts, found: Facts): Hits => ({
  right: shared(count(truth.words), count(found.words)),
  wanted: truth.words.length,
  found: found.words.length,
});

/** Headings by their letters and digits, whatever their level. */
export const headings = (truth: Facts, found: Facts): Hits => ({
  right: shared(count(truth.headings), count(found.headings)),
  wanted: truth.headings.length,
  found: found.headings.length,
});
