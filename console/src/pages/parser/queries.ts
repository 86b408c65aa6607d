import {
  ParserBlocks,
  ParserDocument,
  ParserDocuments,
  ParserOutline,
  ParserTable,
  ParserText,
  type parserTexts,
} from '@ai-studio/contract/console/parser.ts';
import { queryOptions } from '@tanstack/react-query';
import { apiUrl, api } from '../../api/client.ts';
import { rereadDelay } from '../../api/reread.ts';

export type TextFormat = (typeof parserTexts)[number];

/** Poll interval while documents are waiting or being read. */
const POLL_MS = 1_000;

export const isOpen = ({ state }: ParserDocument): boolean => state === 'waiting' || state === 'reading';

/** The newest documents of the person. */
export const documentsQuery = queryOptions({
  queryKey: ['parser', 'list'],
  queryFn: ({ signal }) => api.get('/parser', ParserDocuments, { signal }),
  refetchInterval: (query) => (query.state.data?.items.some(isOpen) === true ? POLL_MS : rereadDelay(query)),
});

const pathOf = (id: string) => `/parser/${encodeURIComponent(id)}`;

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['parser', id],
    queryFn: ({ signal }) => api.get(pathOf(id), ParserDocument, { signal }),
    refetchInterval: (query) =>
      query.state.data !== undefined && isOpen(query.state.data) ? POLL_MS : rereadDelay(query),
  });

// What was read of a document never changes.
const settled = { staleTime: Infinity } as const;

export const outlineQuery = (id: string) =>
  queryOptions({
    queryKey: ['parser', id, 'outline'],
    queryFn: ({ signal }) => api.get(`${pathOf(id)}/outline`, ParserOutline, { signal }),
    ...settled,
  });

export const blocksQuery = (id: string, page: number, from: number) =>
  queryOptions({
    queryKey: ['parser', id, 'blocks', page, from],
    queryFn: ({ signal }) => api.get(`${pathOf(id)}/pages/${page}`, ParserBlocks, { signal, query: { from } }),
    ...settled,
  });

export const rowsQuery = (id: string, { page, at, fromRow }: { page: number; at: number; fromRow: number }) =>
  queryOptions({
    queryKey: ['parser', id, 'rows', page, at, fromRow],
    queryFn: ({ signal }) =>
      api.get(`${pathOf(id)}/pages/${page}/blocks/${at}`, ParserTable, { signal, query: { from_row: fromRow } }),
    ...settled,
  });

export const textQuery = (id: string, page: number, format: TextFormat) =>
  queryOptions({
    queryKey: ['parser', id, 'text', page, format],
    queryFn: ({ signal }) => api.get(`${pathOf(id)}/text`, ParserText, { signal, query: { page, format } }),
    ...settled,
  });

/** Address of the whole document in a format. */
export const fileAddress = (id: string, format: TextFormat): string => apiUrl(`${pathOf(id)}/file`, { format });

/** Address of a page as a picture so many pixels wide. */
export const pictureAddress = (id: string, page: number, width: number): string =>
  apiUrl(`${pathOf(id)}/pages/${page}/picture`, { width });

/** Removes a document; ends its reading. */
export const removeDocument = (id: string): Promise<void> => api.run('DELETE', pathOf(id));
