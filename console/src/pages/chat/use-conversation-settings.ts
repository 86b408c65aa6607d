import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type AnswerSettings, settingsBody } from './answer-settings.ts';
import { conversationQuery, updateConversation } from './conversations.ts';

/** Changes a conversation: shown at once, and as it was before where the service refuses. */
export function useConversationSettings(id: string) {
  const queries = useQueryClient();
  const { queryKey } = conversationQuery(id);
  const settings = useMutation({
    mutationFn: (change: Partial<AnswerSettings>) => updateConversation(id, settingsBody(change)),
    onMutate(change) {
      const before = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, (old) =>
        old === undefined
          ? old
          : {
              ...old,
              ...settingsBody(change),
              // As it is shown, with names.
              collections: [...(change.collections ?? old.collections)],
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
  const chosen = useMutation({
    mutationFn: ({ id: shownId, model }: Pick<ConversationMessage, 'id' | 'model'>) =>
      updateConversation(id, { shown: shownId, models_beside: [], ...(model === null ? {} : { model }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const { mutate: choose } = chosen;
  const { mutate: change } = settings;
  const { mutate: showMessage } = shown;
  return {
    change,
    show: useCallback((messageId: string) => showMessage(messageId), [showMessage]),
    /** Goes on with one of several answers, and with its model. */
    choose,
    isChoosing: chosen.isPending,
    error: settings.error ?? shown.error ?? chosen.error,
  };
}
