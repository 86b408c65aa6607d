import { sql } from 'kysely';
import type { Queryable } from '../../ports/database.ts';
import type { Passage } from './passages.ts';

// Small chunks are found, larger passages are given: a chunk with those around it that stand below the same first title, as many as have room.
// Chunks that are found within a passage that is there already count as found there.

/** Chunks on each side of the one that was found, at most. */
const MAX_NEIGHBOURS = 32;
/** Shortest text that a chunk repeats of the one before, in UTF-16 units: less may be chance. */
const MIN_OVERLAP = 8;
/** Longest such text. */
const MAX_OVERLAP = 20_000;

/** A run of chunks of one document. */
export interface ParentRange {
  readonly documentId: string;
  readonly revision: number;
  /** Places of the first and the last chunk. */
  readonly from: number;
  readonly to: number;
  /** Chunks in it that were found, the best first. */
  readonly found: Passage[];
}

interface Neighbour {
  readonly document_id: string;
  readonly revision: number;
  readonly ord: number;
  readonly tokens: number;
  readonly first_title: string | null;
}

/** The larger text, and where the chunks stand in it. */
export interface Parent {
  readonly content: string;
  readonly startPage: number | null;
  readonly endPage: number | null;
  readonly matches: readonly { readonly chunkId: string; readonly start: number; readonly end: number }[];
}

/** The run around the chunk at `ord` that has room, without chunks of other runs. `taken`: whether a place is. Pure. */
export function growRange(
  chunks: ReadonlyMap<number, Pick<Neighbour, 'tokens' | 'first_title'>>,
  ord: number,
  size: number,
  taken: (ord: number) => boolean,
): { readonly from: number; readonly to: number } {
  const own = chunks.get(ord);
  let [from, to] = [ord, ord];
  let room = size - (own?.tokens ?? 0);
  const fits = (at: number) => {
    const one = chunks.get(at);
    return one !== undefined && one.first_title === (own?.first_title ?? null) && one.tokens <= room && !taken(at);
  };
  for (let [after, before] = [true, true]; after || before;) {
    if (after && (after = fits(to + 1))) room -= chunks.get(++to)?.tokens ?? 0;
    if (before && (before = fits(from - 1))) room -= chunks.get(--from)?.tokens ?? 0;
  }
  return { from, to };
}

/** How many characters a text begins with that the other ends with. Time grows with the length of both. */
export function overlapOf(before: string, after: string): number {
  const head = after.slice(0, MAX_OVERLAP);
  const tail = before.slice(-head.length);
  // Of each beginning of the head: how long a shorter one is that it ends with. Source: Knuth, Morris, Pratt 1977.
  const borders = new Uint32Array(head.length);
  const step = (length: number, sign: string): number => {
    let at = length;
    while (at > 0 && (at === head.length || head[at] !== sign)) at = borders[at - 1] ?? 0;
    return head[at] === sign ? at + 1 : at;
  };
  for (let at = 1; at < head.length; at++) borders[at] = step(borders[at - 1] ?? 0, head[at] ?? '');
  let length = 0;
  for (const sign of tail.split('')) length = step(length, sign);
  return length < MIN_OVERLAP ? 0 : length;
}

/** Chunks as one text, without what each repeats of the one before, and where each stands in it. Pure. */
export function joinChunks(contents: readonly string[]): {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number }[];
} {
  let text = '';
  const spans: { start: number; end: number }[] = [];
  for (const [at, content] of contents.entries()) {
    const overlap = at === 0 ? 0 : overlapOf(contents[at - 1] ?? '', content);
    if (at > 0 && overlap === 0) text += '\n\n';
    const start = text.length - overlap;
    text += content.slice(overlap);
    spans.push({ start, end: text.length });
  }
  return { text, spans };
}

/** Gathers larger passages of one search. */
export interface Parents {
  /** For each passage, the best first: the range that it opens, or null where it counts as found within another. */
  place(passages: readonly Passage[]): Promise<(ParentRange | null)[]>;
}

const keyOf = ({ document_id: id, revision }: Pick<Passage, 'document_id' | 'revision'>) => `${id} ${revision}`;

/** Opens the gathering of passages of at most so many tokens. */
export function createParents({ query }: Queryable, size: number): Parents {
  const ranges = new Map<string, ParentRange[]>();
  const rangeWith = (key: string, ord: number) => ranges.get(key)?.find(({ from, to }) => from <= ord && ord <= to);

  async function neighboursOf(passages: readonly Passage[]) {
    const { rows } = await sql<Neighbour>`
      SELECT DISTINCT chunks.document_id, chunks.revision, chunks.ord, chunks.tokens, chunks.headings->>0 AS first_title
      FROM unnest(${passages.map((one) => one.document_id)}::text[], ${passages.map((one) => one.revision)}::integer[],
        ${passages.map((one) => one.ord)}::integer[]) AS found (document_id, revision, ord)
      JOIN chunks ON chunks.document_id = found.document_id AND chunks.revision = found.revision
        AND chunks.ord BETWEEN found.ord - ${MAX_NEIGHBOURS} AND found.ord + ${MAX_NEIGHBOURS}`.execute(query);
    const byDocument = new Map<string, Map<number, Neighbour>>();
    for (const row of rows) {
      const chunks = byDocument.get(keyOf(row)) ?? new Map<number, Neighbour>();
      byDocument.set(keyOf(row), chunks.set(row.ord, row));
    }
    return byDocument;
  }

  return {
    async place(passages) {
      if (passages.length === 0) return [];
      const neighbours = await neighboursOf(passages);
      return passages.map((passage) => {
        const key = keyOf(passage);
        const within = rangeWith(key, passage.ord);
        if (within !== undefined) {
          within.found.push(passage);
          return null;
        }
        const chunks = neighbours.get(key) ?? new Map<number, Neighbour>();
        const taken = (ord: number) => rangeWith(key, ord) !== undefined;
        const { from, to } = growRange(chunks, passage.ord, size, taken);
        const { document_id: documentId, revision } = passage;
        const range: ParentRange = { documentId, revision, from, to, found: [passage] };
        ranges.set(key, [...(ranges.get(key) ?? []), range]);
        return range;
      });
    },
  };
}

/** The texts of ranges, in their order. Chunks that an edit took away meanwhile are left out. */
export async function parentsOf({ query }: Queryable, ranges: readonly ParentRange[]): Promise<Parent[]> {
  if (ranges.length === 0) return [];
  const { rows } = await sql<{
    readonly at: number;
    readonly id: string;
    readonly content: string;
    readonly start_page: number | null;
    readonly end_page: number | null;
  }>`
    SELECT wanted.at::integer, chunks.id, chunks.content, chunks.start_page, chunks.end_page
    FROM unnest(${ranges.map(({ documentId }) => documentId)}::text[], ${ranges.map(({ revision }) => revision)}::integer[],
      ${ranges.map(({ from }) => from)}::integer[], ${ranges.map(({ to }) => to)}::integer[])
      WITH ORDINALITY AS wanted (document_id, revision, first, last, at)
    JOIN chunks ON chunks.document_id = wanted.document_id AND chunks.revision = wanted.revision
      AND chunks.ord BETWEEN wanted.first AND wanted.last
    ORDER BY wanted.at, chunks.ord, chunks.id`.execute(query);
  const byRange = Map.groupBy(rows, ({ at }) => at);
  return ranges.map(({ found }, at) => {
    const chunks = byRange.get(at + 1) ?? [];
    const { text, spans } = joinChunks(chunks.map(({ content }) => content));
    const places = new Map(chunks.map(({ id }, place) => [id, spans[place]]));
    const pages = chunks.flatMap(({ start_page: first, end_page: last }) =>
      first === null ? [] : [first, last ?? first],
    );
    return {
      content: text,
      startPage: pages.length === 0 ? null : Math.min(...pages),
      endPage: pages.length === 0 ? null : Math.max(...pages),
      matches: found.flatMap(({ id }) => {
        const span = places.get(id);
        return span === undefined ? [] : [{ chunkId: id, ...span }];
      }),
    };
  });
}
