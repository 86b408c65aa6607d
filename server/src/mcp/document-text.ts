import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import type { Actor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { listChunks, readDocument, type RetrievalDeps } from '../retrieval/index.ts';

/** A place in a document: the chunk that a part begins with, from 1. */
export interface TextPlace {
  readonly documentId: string;
  readonly from: number;
}

export interface TextPart {
  readonly document: Document;
  readonly text: string;
  /** The chunk that the next part begins with; null where this is the last. */
  readonly next: number | null;
}

/** Longest part, in UTF-16 units: what a model can read at once beside other things. */
const MAX_PART_LENGTH = 60_000;
/** Chunks that are read at once. */
const PAGE = 100;
/** Longest repetition that is looked for between chunks. */
const MAX_OVERLAP_LENGTH = 10_000;

/** An id as `fetch` takes it: of a document, or of a part of it. */
export function parseTextId(id: string): TextPlace {
  const [, documentId = id, from = '1'] = /^([0-9a-f]{32})(?:@([1-9]\d{0,8}))?$/.exec(id) ?? [];
  return { documentId, from: Number(from) };
}
export const textId = ({ documentId, from }: TextPlace): string => (from === 1 ? documentId : `${documentId}@${from}`);

/** A passage under its heading, unless it begins with it. */
export function withHeading(title: string, content: string): string {
  const [line = ''] = content.split('\n', 1);
  const begins = line.replace(/^#+ */, '').trim();
  return title === '' || (begins !== '' && title.endsWith(begins)) ? content : `${title}\n${content}`;
}

/** How much of the end of `before` the beginning of `after` repeats, in UTF-16 units. In linear time (Knuth, Morris, Pratt). */
export function overlapOf(before: string, after: string): number {
  const length = Math.min(before.length, after.length, MAX_OVERLAP_LENGTH);
  const start = after.slice(0, length);
  const end = before.slice(before.length - length);
  const borders = new Int32Array(length);
  const step = (matched: number, unit: number): number => {
    let known = matched;
    while (known > 0 && start.charCodeAt(known) !== unit) known = borders[known - 1] ?? 0;
    return start.charCodeAt(known) === unit ? known + 1 : known;
  };
  for (let at = 1; at < length; at++) borders[at] = step(borders[at - 1] ?? 0, start.charCodeAt(at));
  let matched = 0;
  for (let at = 0; at < length; at++) {
    if (matched === length) matched = borders[length - 1] ?? 0;
    matched = step(matched, end.charCodeAt(at));
  }
  return matched;
}

/**
 * A part of what a document says, joined of its chunks: headings where they change, and what chunks repeat of each other once. Throws
 * StudioError `not_found` for a document that is not there for the actor, `conflict` for one that is not ready.
 */
export async function readPart(
  { db }: Pick<RetrievalDeps, 'db'>,
  actor: Actor,
  { documentId, from }: TextPlace,
): Promise<TextPart> {
  const document = await readDocument({ db }, actor, { documentId });
  if (!document.searchable)
    throw new StudioError('conflict', `The document is not ready to be read: its state is ${document.state}`);
  const repeats = document.ingest_config.chunk_overlap > 0;
  let text = '';
  let lastTitle = '';
  let lastContent = '';
  for (let at = from - 1; ; at += PAGE) {
    const { items, total } = await listChunks({ db }, actor, { documentId }, { size: PAGE, from: at });
    for (const [place, { title, content }] of items.entries()) {
      const own = repeats ? content.slice(overlapOf(lastContent, content)) : content;
      const piece = `${text === '' ? '' : '\n\n'}${title === lastTitle ? own : withHeading(title, own)}`;
      if (text !== '' && text.length + piece.length > MAX_PART_LENGTH) return { document, text, next: at + place + 1 };
      if (own.trim() !== '') text += piece;
      [lastTitle, lastContent] = [title, content];
    }
    if (at + items.length >= total || items.length === 0) return { document, text, next: null };
  }
}
