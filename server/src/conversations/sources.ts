import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { Actor, CallContext, PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { listChunks, type Passage, passageOf, type RetrievalDeps, search } from '../retrieval/index.ts';
import { FILE_FIELD, type FileRow, withChatFiles } from './files/files.ts';

// What an answer may stand on: files of the conversation, whole where they are short, else what a search finds in them, and what it
// finds in the collections that were chosen.

/** Bytes of files that go into a prompt whole, at most; Korean text has three a character. */
const MAX_WHOLE_BYTES = 60_000;
/** Bytes of whole files for each token of context: with the passages that are searched they leave half of it. */
const WHOLE_BYTES_PER_TOKEN = 1;
/** Files with more chunks are never looked at whole. */
const MAX_WHOLE_CHUNKS = 100;
/** Passages of a search in files, and in collections. */
const TOP_K = 8;
/** Longest query that is searched by. */
const MAX_QUERY_LENGTH = 4_096;
/** A question that is shorter says little without the one before: it is searched for with that. */
const SHORT_QUESTION = 24;

/** What to search for: the last question, with the one before where it is short. */
export function queryOf(questions: readonly string[]): string {
  const last = questions.at(-1)?.trim() ?? '';
  const before = last.length < SHORT_QUESTION ? (questions.at(-2)?.trim() ?? '') : '';
  return `${before.slice(0, MAX_QUERY_LENGTH - last.length - 1)} ${last}`
    .trim()
    .slice(0, MAX_QUERY_LENGTH)
    .toWellFormed();
}

/** All chunks of a document as passages; null where they have more bytes than there is room. */
async function wholeFile(
  { retrieval }: { readonly retrieval: RetrievalDeps },
  actor: Actor,
  { document_id: documentId, collection_id: collectionId, name }: FileRow,
  room: number,
): Promise<{ readonly passages: Passage[]; readonly bytes: number } | null> {
  if (documentId === null) return null;
  const page = { size: MAX_WHOLE_CHUNKS + 1, from: 0 };
  const { items, total } = await listChunks(retrieval, actor, { documentId }, page);
  const bytes = items.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (total > MAX_WHOLE_CHUNKS || bytes > room) return null;
  const passages = items.map(({ chunk_id, title, content, metadata }): Passage => ({
    collection_id: collectionId ?? '',
    document_id: documentId,
    document_name: name,
    chunk_id,
    page: metadata.start_page ?? null,
    title,
    content,
    score: 1,
  }));
  return { passages, bytes };
}

/** One of each list in turn. */
const interleaved = <T>(lists: readonly (readonly T[])[]): T[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();

interface Asked {
  /** What was asked so far, the question itself last. */
  readonly questions: readonly string[];
  /** Documents of the conversation, the newest last. */
  readonly files: readonly FileRow[];
  /** Ids of collections that the person chose. */
  readonly collections: readonly string[];
  /** Tokens of the model; null where that is not known. */
  readonly contextLength: number | null;
}

/**
 * The passages that an answer may cite, numbered. Collections that are not there for the person any more are passed over. Throws
 * StudioError and EngineError of the search.
 */
export async function gatherSources(
  deps: { readonly retrieval: RetrievalDeps },
  ctx: CallContext<PersonActor>,
  { questions, files, collections, contextLength }: Asked,
): Promise<readonly Citation[]> {
  const actor = withChatFiles(ctx.actor);
  const inFiles = { ...ctx, actor };
  let room = Math.min(MAX_WHOLE_BYTES, (contextLength ?? Infinity) * WHOLE_BYTES_PER_TOKEN);
  const whole: Passage[] = [];
  const long: FileRow[] = [];
  for (const file of files.toReversed()) {
    const all = await wholeFile(deps, actor, file, room).catch((error: unknown) => {
      // Removed meanwhile.
      if (error instanceof StudioError && error.code === 'not_found') return { passages: [], bytes: 0 };
      throw error;
    });
    if (all === null) long.push(file);
    else {
      room -= all.bytes;
      whole.push(...all.passages);
    }
  }
  const query = queryOf(questions);
  const searches: Promise<readonly Passage[]>[] = [];
  const [first] = long;
  if (first?.collection_id && query !== '') {
    const filters = { [FILE_FIELD]: { $in: long.map(({ id }) => id) } };
    const request = { query, collection_id: first.collection_id, top_k: TOP_K, highlight: false, filters };
    searches.push(search(deps.retrieval, inFiles, request).then(({ result }) => result.hits.map(passageOf)));
  }
  if (collections.length > 0 && query !== '') {
    const request = { query, collection_ids: [...collections], top_k: TOP_K, highlight: false };
    searches.push(search(deps.retrieval, ctx, request).then(({ result }) => result.hits.map(passageOf)));
  }
  const found = interleaved(await Promise.all(searches));
  return [...whole, ...found].map((passage, at) => ({ ...passage, number: at + 1 }));
}

/** The sources that an answer cites; where it cites none, those that it may stand on, the best first. */
export function citedOf(content: string, sources: readonly Citation[]): readonly Citation[] {
  const named = new Set([...content.matchAll(/\[(\d{1,4})\]/g)].map(([, number]) => Number(number)));
  const cited = sources.filter(({ number }) => named.has(number));
  return cited.length > 0 ? cited : sources.slice(0, TOP_K);
}
