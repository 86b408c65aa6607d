import type { AnswerFeedback } from '@ai-studio/contract/console/feedback.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { conversationQuery } from './conversations.ts';

/** Keeps what the person has said of an answer with the conversation that is on the page. */
export function useRated(conversationId: string): (messageId: string, given: AnswerFeedback | null) => void {
  const queries = useQueryClient();
  return useCallback(
    (messageId, given) =>
      queries.setQueryData(conversationQuery(conversationId).queryKey, (old) =>
        old === undefined
          ? old
          : {
              ...old,
              messages: old.messages.map((one) => (one.id === messageId ? { ...one, feedback: given } : one)),
            },
      ),
    [queries, conversationId],
  );
}
