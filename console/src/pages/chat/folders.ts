import { ConversationFolder, ConversationFolders } from '@ai-studio/contract/console/conversations.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** The person's folders of conversations, by name. */
export const foldersQuery = queryOptions({
  queryKey: ['conversation-folders'],
  queryFn: ({ signal }) => api.get('/conversation-folders', ConversationFolders, { signal }),
});

export const createFolder = (name: string): Promise<ConversationFolder> =>
  api.post('/conversation-folders', { name }, ConversationFolder);

export const renameFolder = (id: string, name: string): Promise<ConversationFolder> =>
  api.patch(`/conversation-folders/${id}`, { name }, ConversationFolder);

export const deleteFolder = (id: string): Promise<void> => api.run('DELETE', `/conversation-folders/${id}`);
