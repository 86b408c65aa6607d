import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';

/** A passage that a search found, before an answer gives it a number. */
export type Passage = Omit<Citation, 'number'>;

/** The content of a hit, and where in it stands what was found, where that is not all of it. */
export const passageOf = (hit: SearchHit): Passage => ({
  collection_id: hit.collection_id,
  document_id: hit.document_id,
  document_name: hit.document_name,
  chunk_id: hit.chunk_id,
  page: hit.page,
  title: hit.title,
  content: hit.content,
  score: hit.score,
  ...(hit.parent === undefined ? {} : { matches: hit.parent.matches.map(({ start, end }) => ({ start, end })) }),
});

/** Share of a part of a larger passage that stands before what was found. */
const BEFORE = 0.25;

/** The begin of a line near a place, so that a part does not begin within a word; the place itself where none is near. */
function lineBegin(text: string, at: number, latest: number): number {
  if (at === 0) return 0;
  const line = text.indexOf('\n', at) + 1;
  return line > 0 && line <= latest ? line : at;
}

/**
 * A passage that is no longer than so many UTF-16 units: of one that is, its beginning, or the part around what was found best where it is a larger
 * passage. Pure.
 */
export function shortened<P extends Pick<Citation, 'content' | 'matches'>>(passage: P, maxLength: number): P {
  const { content, matches } = passage;
  if (content.length <= maxLength) return passage;
  const [best] = matches ?? [];
  if (matches === undefined || best === undefined)
    return { ...passage, content: content.slice(0, maxLength).toWellFormed() };
  const wanted = Math.max(0, Math.min(best.start - Math.floor(maxLength * BEFORE), content.length - maxLength));
  const from = lineBegin(content, wanted, best.start);
  const to = Math.min(content.length, from + maxLength);
  return {
    ...passage,
    content: content.slice(from, to).toWellFormed(),
    matches: matches
      .filter(({ start, end }) => start < to && end > from)
      .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from })),
  };
}
