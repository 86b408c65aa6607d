import { CollectionOptions } from '@ai-studio/contract/console/retrieval.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Choices of the form for collections, the embedding models among them. */
export const collectionOptionsQuery = queryOptions({
  queryKey: ['collection-options'],
  queryFn: ({ signal }) => api.get('/collection-options', CollectionOptions, { signal }),
});
