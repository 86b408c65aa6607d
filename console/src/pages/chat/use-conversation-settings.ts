import type { ConversationCollection } from '@ai-studio/contract/console/conversation-parts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { conversationQuery, updateConversation } from './conversations.ts';

/** What the next answer of a conversation is made with. */
export interface ConversationSettings {
  readonly model?: string;
  readonly collections?: readonly ConversationCollection[];
}

/** Changes a conversation: shown at once, and as it was before where the service refuses. */
export function useConversationSettings(id: string) {
  const queries = useQueryClient();
  const { queryKey } = conversationQuery(id);
  const settings = useMutation({
    mutationFn: ({ model, collections }: ConversationSettings) =>
      updateConversation(id, {
        ...(model === undefined ? {} : { model }),
        ...(collections === undefined ? {} : { collections: collections.map((one) => one.id) }),
      }),
    onMutate({ model, collections }) {
      const before = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, (old) =>
        old === undefined
          ? old
          : {
              ...old,
              ...(model === undefined ? {} : { model }),
              ...(collections === undefined ? {} : { collections: [...collections] }),
            },
      );
      return before;
    },
    onError: (_error, _change, before) => void queries.setQueryData(queryKey, before),
  });
  const shown = useMutation({
    mutationFn: (messageId: string) => updateConversation(id, { shown: messageId }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const { mutate: change } = settings;
  const { mutate: showMessage } = shown;
  return {
    change,
    show: useCallback((messageId: string) => showMessage(messageId), [showMessage]),
    error: settings.error ?? shown.error,
  };
}
