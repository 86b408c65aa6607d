import {
  type CollectionOrder,
  ConsoleChunks,
  ConsoleCollection,
  ConsoleCollections,
  ConsoleDocuments,
  ConsoleOriginal,
  ConsolePageText,
  type DocumentGroup,
  type DocumentOrder,
} from '@ai-studio/contract/console/retrieval.ts';
import { Chunk } from '@ai-studio/contract/retrieval/chunk.ts';
import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiUrl, api } from '../../api/client.ts';
import { nextFrom, ROWS_AT_ONCE } from '../../parts/table/remote-rows.ts';

/** Poll interval while documents are being processed. */
const ACTIVE_POLL_MS = 1_500;
/** Poll interval while nothing is being processed. */
const IDLE_POLL_MS = 15_000;

/** Documents of a page of the list. */
export const DOCUMENTS_SIZE = 50;
/** Chunks of a page of the list. */
export const CHUNKS_SIZE = 20;

export const pathOf = (id: string): string => `/collections/${encodeURIComponent(id)}`;
export const documentPath = (id: string, documentId: string): string =>
  `${pathOf(id)}/documents/${encodeURIComponent(documentId)}`;

/** Collections, as many as have been scrolled to; `sort` left out: the newest first. */
export const collectionsQuery = (name: string, sort: CollectionOrder | undefined) =>
  infiniteQueryOptions({
    queryKey: ['collections', name, sort],
    queryFn: ({ signal, pageParam }) =>
      api.get('/collections', ConsoleCollections, {
        signal,
        query: { name, sort, size: ROWS_AT_ONCE, from: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => nextFrom(pages),
    placeholderData: keepPreviousData,
  });

export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id],
    queryFn: ({ signal }) => api.get(pathOf(id), ConsoleCollection, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.reindex?.state === 'running' || data?.index_state === 'rebuilding' ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  });

/** Which documents of a collection are listed. */
export interface DocumentFilter {
  readonly group: DocumentGroup | null;
  readonly name: string;
  readonly page: number;
  /** Left out: the newest first. */
  readonly sort?: DocumentOrder | undefined;
}

export const documentsQuery = (id: string, { group, name, page, sort }: DocumentFilter) =>
  queryOptions({
    queryKey: ['collection', id, 'documents', group, name, page, sort],
    queryFn: ({ signal }) =>
      api.get(`${pathOf(id)}/documents`, ConsoleDocuments, {
        signal,
        query: { group, name, sort, size: DOCUMENTS_SIZE, from: (page - 1) * DOCUMENTS_SIZE },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => ((data?.counts.open ?? 0) > 0 ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  });

/** Whether a document is being worked on. */
export const isOpen = ({ state }: Document): boolean => state !== 'ready' && state !== 'failed';

export const documentQuery = (id: string, documentId: string) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId],
    queryFn: ({ signal }) => api.get(documentPath(id, documentId), Document, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOpen(data) ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  });

export const originalQuery = ({ collection_id: id, document_id: documentId, state }: Document) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId, 'original', state],
    queryFn: ({ signal }) => api.get(`${documentPath(id, documentId)}/original`, ConsoleOriginal, { signal }),
  });

export const pageTextQuery = ({ collection_id: id, document_id: documentId, state }: Document, page: number) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId, 'text', state, page],
    queryFn: ({ signal }) => api.get(`${documentPath(id, documentId)}/pages/${page}`, ConsolePageText, { signal }),
    staleTime: 60_000,
  });

/** Address of a page as a picture so many pixels wide. */
export const pictureAddress = ({ collection_id: id, document_id: documentId }: Document, page: number, width: number) =>
  apiUrl(`${documentPath(id, documentId)}/pages/${page}/picture`, { width });

/** Address of the original. */
export const fileAddress = ({ collection_id: id, document_id: documentId }: Document): string =>
  apiUrl(`${documentPath(id, documentId)}/file`);

/** `onPage`: chunks of that page of the document alone. */
export const chunksQuery = (
  { collection_id: id, document_id: documentId, state, updated_at: updated }: Document,
  { from, onPage }: { readonly from: number; readonly onPage: number | null },
) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId, 'chunks', from, onPage, state, updated],
    queryFn: ({ signal }) =>
      api.get(`${documentPath(id, documentId)}/chunks`, ConsoleChunks, {
        signal,
        query: { size: CHUNKS_SIZE, from, page: onPage },
      }),
    placeholderData: keepPreviousData,
  });

export const chunkQuery = (id: string, documentId: string, chunkId: string) =>
  queryOptions({
    queryKey: ['collection', id, 'document', documentId, 'chunk', chunkId],
    queryFn: ({ signal }) =>
      api.get(`${documentPath(id, documentId)}/chunks/${encodeURIComponent(chunkId)}`, Chunk, { signal }),
    retry: false,
  });
