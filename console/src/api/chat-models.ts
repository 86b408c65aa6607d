import { ChatModelList } from '@ai-studio/contract/console/conversations.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Models that chat and playground offer to the signed-in person. */
export const chatModelsQuery = queryOptions({
  queryKey: ['chat-models'],
  queryFn: ({ signal }) => api.get('/chat-models', ChatModelList, { signal }),
});
