import type { Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { batchPerFrame } from '../../api/batch-per-frame.ts';
import { ApiError, isSignedOut } from '../../api/error.ts';
import { meQuery } from '../../api/session.ts';
import {
  type Question,
  conversationQuery,
  followTurn,
  isRunning,
  lastQuestion,
  stopAnswer,
  streamTurn,
  withTurnEvent,
  truncatedAt,
} from './conversations.ts';

type Open = (signal: AbortSignal) => AsyncIterable<TurnEvent>;

const noAnswer = () => new ApiError(0, 'network', 'The service did not answer');

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

  /** Reads a stream to its end. Resolves with whether anything came, and why it ended early; null where it did not. */
  const readStream = useCallback(
    async (
      open: Open,
      question: Question = {},
      onStart?: () => void,
    ): Promise<{ readonly began: boolean; readonly error: unknown }> => {
      const abort = new AbortController();
      activeStream.current?.abort();
      activeStream.current = abort;
      setBusy(true);
      setFailure(null);
      let began = false;
      try {
        await batchPerFrame(open(abort.signal), (batch) => {
          began = true;
          const isStart = batch.some(({ type }) => type === 'start');
          // What it takes the place of is shown until then.
          updateCached((old) => batch.reduce(withTurnEvent, isStart ? truncatedAt(old, question) : old));
          if (!isStart) return;
          onStart?.();
          // With its first question a conversation has got its title.
          void queries.invalidateQueries({ queryKey: ['conversations'] });
        });
        return { began, error: began ? null : noAnswer() };
      } catch (error) {
        return { began, error: abort.signal.aborted && began ? null : error };
      } finally {
        if (activeStream.current === abort) {
          activeStream.current = null;
          setBusy(false);
          void queries.invalidateQueries({ queryKey: ['conversations'] });
        }
      }
    },
    [updateCached, queries],
  );

  const readAgain = useCallback(
    () => queries.query({ ...conversationQuery(id), staleTime: 0 }).catch(() => null),
    [queries, id],
  );

  // Unmounting closes the event stream; the answer is still generated.
  useEffect(() => () => activeStream.current?.abort(), []);

  const answering = query.data !== undefined && isRunning(query.data);
  useEffect(() => {
    if (!answering || activeStream.current !== null) return;
    void readStream((signal) => followTurn(id, signal)).then(async ({ error }) => {
      if (error === null) return;
      setFailure(error);
      await readAgain();
    });
  }, [answering, id, readStream, readAgain]);

  const ask = useCallback(
    (question: Question): Promise<void> => {
      const before = queries.getQueryData(conversationQuery(id).queryKey);
      const accepted = Promise.withResolvers<void>();
      const read = async () => {
        const { began, error } = await readStream(
          (signal) => streamTurn(id, question, signal),
          question,
          accepted.resolve,
        );
        if (error === null) return;
        if (isSignedOut(error)) {
          // Whoever is not signed in any more is asked to sign in, and finds their words again.
          accepted.reject(error);
          return queries.invalidateQueries(meQuery);
        }
        // The line may have broken after the service had taken the question: it is not to be sent twice.
        const now = await readAgain();
        const asked = now === null ? undefined : lastQuestion(now);
        const isThere = asked !== undefined && asked.id !== (before && lastQuestion(before)?.id);
        const isAnswering = question.content === undefined && now !== null && isRunning(now);
        if (began || isAnswering || (isThere && asked.content === question.content)) accepted.resolve();
        else accepted.reject(error);
        if (began) setFailure(error);
      };
      void read();
      return accepted.promise;
    },
    [id, queries, readStream, readAgain],
  );
  const stop = useCallback(() => void stopAnswer(id).catch(setFailure), [id]);
  const stopOne = useCallback((answer: string) => void stopAnswer(id, answer).catch(setFailure), [id]);

  return {
    query,
    failure,
    running: busy || answering,
    /** Resolves once the question was accepted and its answer begins; rejects where it was not. */
    ask,
    stop,
    /** Ends one of several answers. */
    stopOne,
  };
}
