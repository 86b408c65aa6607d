import { ExtractionDocuments, ExtractionList } from '@ai-studio/contract/retrieval/extraction.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiUrl } from '../../../api/client.ts';
import { rereadDelay } from '../../../api/reread.ts';
import { pathOf } from '../queries.ts';

/** Documents of a page of the table. */
export const RESULTS_SIZE = 20;
const POLL_MS = 1_000;

export const extractionsPath = (id: string): string => `${pathOf(id)}/extractions`;
export const extractionPath = (id: string, extraction: string): string =>
  `${extractionsPath(id)}/${encodeURIComponent(extraction)}`;
/** Address of the file with what was found. */
export const extractionFile = (id: string, extraction: string): string =>
  apiUrl(`${extractionPath(id, extraction)}/file`);

export const extractionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id, 'extractions'],
    queryFn: ({ signal }) => api.get(extractionsPath(id), ExtractionList, { signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some(({ state }) => state === 'running') === true ? POLL_MS : rereadDelay(query),
  });

/** `ended`: how many documents have been looked through, so that the page is read anew. */
export const resultsQuery = (id: string, extraction: string, page: number, ended: string) =>
  queryOptions({
    queryKey: ['collection', id, 'extractions', extraction, page, ended],
    queryFn: ({ signal }) =>
      api.get(`${extractionPath(id, extraction)}/documents`, ExtractionDocuments, {
        signal,
        query: { size: RESULTS_SIZE, from: (page - 1) * RESULTS_SIZE },
      }),
    placeholderData: keepPreviousData,
  });
