import {
  FetchInput,
  FetchOutput,
  ListCollectionsInput,
  ListCollectionsOutput,
  SearchInput,
  SearchOutput,
} from '@ai-studio/contract/mcp/tools.ts';
import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { estimateTokens } from '../../inference/index.ts';
import { listCollections, type RetrievalDeps, search } from '../../retrieval/index.ts';
import { collectionUrl, documentUrl, type McpCaller } from '../caller.ts';
import { parseTextId, readPart, textId, withHeading } from '../document-text.ts';
import { defineTool, readsOnly, type Tool } from '../tool.ts';

/** Collections that are searched where a call names none: the newest. A search of more takes too long to wait for. */
const MAX_COLLECTIONS = 100;
/** Passages that are looked at for each document that is wanted: several may be of one. */
const PASSAGES = 3;
const MAX_PASSAGES = 100;
const MAX_TEXT_LENGTH = 2_000;

/** The collections of a search. */
async function collectionsOf(
  { db }: RetrievalDeps,
  { ctx }: McpCaller,
  named: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (named !== undefined) return named;
  const { items } = await listCollections({ db }, ctx.actor, { size: MAX_COLLECTIONS, from: 0 });
  return items.filter(({ document_count: count }) => count > 0).map(({ collection_id: id }) => id);
}

/** The best passage of each document, in the order of the passages. */
function bestOfEach(hits: readonly SearchHit[], limit: number): readonly SearchHit[] {
  const best = new Map<string, SearchHit>();
  for (const hit of hits) if (!best.has(hit.document_id)) best.set(hit.document_id, hit);
  return [...best.values()].slice(0, limit);
}

const placeOf = ({ document_name: name, page }: SearchHit): string => (page === null ? name : `${name}, page ${page}`);
const passageOf = ({ title, content }: SearchHit): string =>
  withHeading(title, content).slice(0, MAX_TEXT_LENGTH).toWellFormed();

/** `search`: documents by what they say. */
const searchTool = (retrieval: RetrievalDeps): Tool =>
  defineTool({
    name: 'search',
    title: 'Search documents',
    description:
      'Finds documents of this organisation that fit a question, and the passage of each that fits best. Read the whole with fetch.',
    scope: 'retrieval',
    input: SearchInput,
    output: SearchOutput,
    annotations: readsOnly,
    admission: (args) => {
      const { query } = SearchInput.pick({ query: true }).safeParse(args).data ?? { query: '' };
      return { endpoint: 'search', tokens: estimateTokens(Buffer.byteLength(query)) };
    },
    async run({ query, collection_ids: named, limit }, { caller, signal, admitted }) {
      const ids = await collectionsOf(retrieval, caller, named);
      if (ids.length === 0) return { results: [] };
      const topK = Math.min(MAX_PASSAGES, limit * PASSAGES);
      const { result, usage } = await search(
        retrieval,
        { ...caller.ctx, signal },
        { query, collection_ids: [...ids], top_k: topK, highlight: false },
      );
      admitted?.spend(usage.total_tokens);
      return {
        results: bestOfEach(result.hits, limit).map((hit) => ({
          id: hit.document_id,
          title: placeOf(hit),
          url: documentUrl(caller, { collectionId: hit.collection_id, documentId: hit.document_id }),
          text: passageOf(hit),
        })),
      };
    },
  });

/** `fetch`: what a document says, in parts where it is long. */
const fetchTool = (retrieval: RetrievalDeps): Tool =>
  defineTool({
    name: 'fetch',
    title: 'Read a document',
    description:
      'The text of a document that search found. Long documents come in parts: metadata.next_id is the id of the next one.',
    scope: 'retrieval',
    input: FetchInput,
    output: FetchOutput,
    annotations: readsOnly,
    async run({ id }, { caller }) {
      const { document, text, next } = await readPart(retrieval, caller.ctx.actor, parseTextId(id));
      const { document_id: documentId, collection_id: collectionId } = document;
      return {
        id,
        title: document.document_name,
        text,
        url: documentUrl(caller, { collectionId, documentId }),
        metadata: {
          ...document.metadata,
          collection_id: collectionId,
          format: document.format,
          page_count: document.page_count,
          updated_at: document.updated_at,
          ...(next === null ? {} : { next_id: textId({ documentId, from: next }) }),
        },
      };
    },
  });

const listCollectionsTool = ({ db }: RetrievalDeps): Tool =>
  defineTool({
    name: 'list_collections',
    title: 'List collections',
    description: 'The collections of documents that can be searched, with their ids.',
    scope: 'retrieval',
    input: ListCollectionsInput,
    output: ListCollectionsOutput,
    annotations: readsOnly,
    async run({ name, size, from }, { caller }) {
      const { items, total } = await listCollections({ db }, caller.ctx.actor, { size, from, name });
      return {
        collections: items.map((one) => ({
          id: one.collection_id,
          name: one.collection_name,
          description: one.description,
          document_count: one.document_count,
          updated_at: one.updated_at,
          url: collectionUrl(caller, one.collection_id),
        })),
        total,
      };
    },
  });

/** Tools over the collections that are there for the caller. */
export const retrievalTools = (retrieval: RetrievalDeps): readonly Tool[] => [
  searchTool(retrieval),
  fetchTool(retrieval),
  listCollectionsTool(retrieval),
];
