import type { Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { batchPerFrame } from '../../api/batch-per-frame.ts';
import {
  type Question,
  conversationQuery,
  followTurn,
  isRunning,
  stopAnswer,
  streamTurn,
  withTurnEvent,
  truncatedAt,
} from './conversations.ts';

/** A conversation and the answer that is being written in it. */
export function useConversation(id: string) {
  const queries = useQueryClient();
  const query = useQuery(conversationQuery(id));
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const activeStream = useRef<AbortController | null>(null);

  const updateCached = useCallback(
    (work: (conversation: Conversation) => Conversation) =>
      queries.setQueryData(conversationQuery(id).queryKey, (old) => (old === undefined ? old : work(old))),
    [queries, id],
  );

  const readStream = useCallback(
    async (open: (signal: AbortSignal) => AsyncIterable<TurnEvent>) => {
      const abort = new AbortController();
      activeStream.current?.abort();
      activeStream.current = abort;
      setBusy(true);
      setFailure(null);
      try {
        await batchPerFrame(open(abort.signal), (batch) => {
          updateCached((old) => batch.reduce(withTurnEvent, old));
          // With its first question a conversation has got its title.
          if (batch.some(({ type }) => type === 'start'))
            void queries.invalidateQueries({ queryKey: ['conversations'] });
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        setFailure(error);
        await queries.invalidateQueries({ queryKey: conversationQuery(id).queryKey });
      } finally {
        if (activeStream.current === abort) {
          activeStream.current = null;
          setBusy(false);
          void queries.invalidateQueries({ queryKey: ['conversations'] });
        }
      }
    },
    [updateCached, queries, id],
  );

  // Unmounting closes the event stream; the answer is still generated.
  useEffect(() => () => activeStream.current?.abort(), []);

  const answering = query.data !== undefined && isRunning(query.data);
  useEffect(() => {
    if (answering && activeStream.current === null) void readStream((signal) => followTurn(id, signal));
  }, [answering, id, readStream]);

  return {
    query,
    failure,
    running: busy || answering,
    ask(question: Question) {
      updateCached((old) => truncatedAt(old, question.replaceFrom));
      void readStream((signal) => streamTurn(id, question, signal));
    },
    async stop() {
      await stopAnswer(id).catch(setFailure);
    },
  };
}
