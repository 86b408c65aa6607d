import { type Conversation, FollowUps } from '@ai-studio/contract/console/conversations.ts';
import { UnstyledButton } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import classes from '../../parts/answer/answer.module.css';
import { conversationQuery } from './conversations.ts';

const followUpsQuery = (conversationId: string, messageId: string) =>
  queryOptions({
    queryKey: ['follow-ups', conversationId, messageId],
    queryFn: ({ signal }) =>
      api.post(`/conversations/${conversationId}/messages/${messageId}/follow-ups`, {}, FollowUps, { signal }),
    staleTime: Infinity,
    // Nobody waits for it: without an answer there are no suggestions.
    retry: false,
  });

interface FollowUpQuestionsProps {
  readonly conversation: Conversation;
  /** Whether an answer was written since the page was opened: what was said long ago is not asked about again. */
  readonly wasWritten: boolean;
  readonly onAsk: (question: string) => void;
}

/** What could be asked next, as the model of the last answer suggests; with the first answer comes a title. */
export function FollowUpQuestions({ conversation, wasWritten, onAsk }: FollowUpQuestionsProps) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const queries = useQueryClient();
  const { id } = conversation;
  const last = conversation.messages.at(-1);
  const isDone = last?.role === 'assistant' && last.state === 'done' && last.content !== '';
  const { data } = useQuery({
    ...followUpsQuery(id, last?.id ?? ''),
    enabled: isDone && wasWritten && last.follow_ups.length === 0,
  });
  const title = data?.title;
  useEffect(() => {
    if (title === undefined) return;
    const { queryKey } = conversationQuery(id);
    if (queries.getQueryData(queryKey)?.title === title) return;
    queries.setQueryData(queryKey, (old) => (old === undefined ? old : { ...old, title }));
    void queries.invalidateQueries({ queryKey: ['conversations'] });
  }, [queries, id, title]);
  const questions = isDone ? (data?.questions ?? last.follow_ups) : [];
  if (!loaded || questions.length === 0) return null;
  return (
    <ul className={classes['next']} aria-label={t('next_questions')}>
      {questions.map((question) => (
        <li key={question}>
          <UnstyledButton className={classes['question'] ?? ''} lang="" onClick={() => onAsk(question)}>
            {question}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
