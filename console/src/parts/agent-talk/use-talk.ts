import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { batchPerFrame } from '../../api/batch-per-frame.ts';
import { startRun, cancelRun, subscribeToRun, type Message } from './talk-api.ts';
import { createReconnectBackoff, isLive, withStartedRun, withRunEvent } from './talk-state.ts';

interface TalkOptions {
  /** Address of the agent below the console's interface. */
  readonly root: string;
  /** What was said before. */
  readonly initial: readonly AgentRun[];
  /** Null: a session is created with the first message. */
  readonly sessionId: number | null;
  /** What is run: draft, deployed, or the id of a version. */
  readonly version: string;
  /** Called when a session was created. */
  readonly onSession?: (id: number) => void;
}

/** What waits for a run to begin. */
interface Starting {
  readonly onStarted?: ((session: number) => void) | undefined;
  readonly accepted?: PromiseWithResolvers<void>;
}

type Open = (signal: AbortSignal) => AsyncIterable<RunStreamEvent>;

/** A talk with an agent, and the answer that is being written in it. */
export function useTalk({ root, initial, sessionId, version, onSession }: TalkOptions) {
  const [runs, setRuns] = useState(initial);
  const [session, setSession] = useState(sessionId);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  /** Delay before the stream is opened again; a new object each time, so that the effect below runs. */
  const [reconnect, setReconnect] = useState({ delayMs: 0 });
  const backoff = useRef(createReconnectBackoff());
  const activeStream = useRef<AbortController | null>(null);

  const readStream = useCallback(async (open: Open, reply: string | null, { onStarted, accepted }: Starting = {}) => {
    const abort = new AbortController();
    activeStream.current?.abort();
    activeStream.current = abort;
    setBusy(true);
    setFailure(null);
    let id = '';
    const applyBatch = (batch: readonly RunStreamEvent[]) => {
      for (const event of batch) {
        backoff.current.received(id, event);
        if (id === '' && event.type === 'run') {
          const { run } = event;
          id = run.id;
          setRuns((old) => withStartedRun(old, run, reply));
          setSession(run.session_id);
          accepted?.resolve();
          if (onStarted !== undefined) onStarted(run.session_id);
        } else setRuns((old) => withRunEvent(old, id, event));
        // With the end, not with that of the line, which may come later: a question that is shown can be answered.
        if (event.type === 'state' && !isLive(event)) setBusy(false);
      }
    };
    const scheduleReconnect = () => {
      backoff.current.disconnected();
      setReconnect({ delayMs: backoff.current.delayMs() });
    };
    try {
      await batchPerFrame(open(abort.signal), applyBatch);
      scheduleReconnect();
    } catch (error) {
      const isNew = accepted !== undefined && id === '';
      accepted?.reject(error);
      if (abort.signal.aborted) return;
      // What was not accepted is told where it was written; what cannot be known is asked again.
      if (isNew) return;
      setFailure(error);
      // A request that the service rejects (4xx) is not retried.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) scheduleReconnect();
    } finally {
      accepted?.reject(new ApiError(0, 'network', 'The service did not answer'));
      if (activeStream.current === abort) {
        activeStream.current = null;
        setBusy(false);
      }
    }
  }, []);

  // Unmounting closes the event stream; the run itself continues.
  useEffect(() => () => activeStream.current?.abort(), []);

  const last = runs.at(-1);
  const live = last !== undefined && isLive(last) ? last.id : null;
  useEffect(() => {
    if (live === null || activeStream.current !== null) return undefined;
    // A stream that closed before its run ended is opened again after a delay.
    const again = () => void readStream((signal) => subscribeToRun(root, live, signal), null);
    const timer = setTimeout(again, reconnect.delayMs);
    return () => clearTimeout(timer);
  }, [live, root, readStream, reconnect]);

  const waitingRun = last?.state === 'input-required' ? last : null;
  return {
    runs,
    failure,
    running: busy || live !== null,
    /** The run that asked the person something, if one did. */
    waitingRun,
    /** Resolves once the message was accepted and its run begins; rejects where it was not. */
    sendMessage(message: Message): Promise<void> {
      const answers = waitingRun?.id ?? null;
      const accepted = Promise.withResolvers<void>();
      void readStream(
        (signal) => startRun(root, { message, sessionId: session, answers, version }, signal),
        answers === null ? null : message.text,
        { onStarted: onSession, accepted },
      );
      return accepted.promise;
    },
    async stop() {
      if (last !== undefined) await cancelRun(root, last.id).catch(setFailure);
    },
  };
}
