import { ConversationShare, ConversationShares, SharedConversation } from '@ai-studio/contract/console/shares.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** What the person shows to others. */
export const sharesQuery = queryOptions({
  queryKey: ['conversation-shares'],
  queryFn: ({ signal }) => api.get('/conversation-shares', ConversationShares, { signal }),
});

/** A conversation that somebody shows. */
export const sharedQuery = (id: string) =>
  queryOptions({
    queryKey: ['shared-conversation', id],
    queryFn: ({ signal }) => api.get(`/shared-conversations/${encodeURIComponent(id)}`, SharedConversation, { signal }),
    retry: false,
  });

export const shareConversation = (id: string): Promise<ConversationShare> =>
  api.post(`/conversations/${id}/shares`, {}, ConversationShare);

export const withdrawShare = (id: string): Promise<void> => api.run('DELETE', `/conversation-shares/${id}`);

/** The link of a share, to be given to people. */
export const shareLink = (id: string): string => `${globalThis.location.origin}/console/shared/${id}`;
