import type { Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Question, ask, conversationQuery, follow, isRunning, stop, withEvent, without } from './conversations.ts';

/** Takes events in as they come and tells of them once a frame, so that a fast answer does not stop the page. */
async function perFrame(
  events: AsyncIterable<TurnEvent>,
  onBatch: (batch: readonly TurnEvent[]) => void,
): Promise<void> {
  let batch: TurnEvent[] = [];
  let frame = 0;
  const flush = () => {
    frame = 0;
    const ready = batch;
    batch = [];
    if (ready.length > 0) onBatch(ready);
  };
  try {
    for await (const event of events) {
      batch.push(event);
      if (frame === 0) frame = requestAnimationFrame(flush);
    }
  } finally {
    cancelAnimationFrame(frame);
    flush();
  }
}

/** A conversation and the answer that is being written in it. */
export function useConversation(id: string) {
  const queries = useQueryClient();
  const query = useQuery(conversationQuery(id));
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const reading = useRef<AbortController | null>(null);

  const change = useCallback(
    (work: (conversation: Conversation) => Conversation) =>
      queries.setQueryData(conversationQuery(id).queryKey, (old) => (old === undefined ? old : work(old))),
    [queries, id],
  );

  const read = useCallback(
    async (open: (signal: AbortSignal) => AsyncIterable<TurnEvent>) => {
      const abort = new AbortController();
      reading.current?.abort();
      reading.current = abort;
      setBusy(true);
      setFailure(null);
      try {
        await perFrame(open(abort.signal), (batch) => {
          change((old) => batch.reduce(withEvent, old));
          // With its first question a conversation has got its title.
          if (batch.some(({ type }) => type === 'start'))
            void queries.invalidateQueries({ queryKey: ['conversations'] });
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        setFailure(error);
        await queries.invalidateQueries({ queryKey: conversationQuery(id).queryKey });
      } finally {
        if (reading.current === abort) {
          reading.current = null;
          setBusy(false);
          void queries.invalidateQueries({ queryKey: ['conversations'] });
        }
      }
    },
    [change, queries, id],
  );

  // Leaving the page ends the reading; the answer goes on without it.
  useEffect(() => () => reading.current?.abort(), []);

  const waits = query.data !== undefined && isRunning(query.data);
  useEffect(() => {
    if (waits && reading.current === null) void read((signal) => follow(id, signal));
  }, [waits, id, read]);

  return {
    query,
    failure,
    running: busy || waits,
    ask(question: Question) {
      change((old) => without(old, question.replaceFrom));
      void read((signal) => ask(id, question, signal));
    },
    async stop() {
      await stop(id).catch(setFailure);
    },
  };
}
