import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agents.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { begin, cancel, follow, type Message } from './talk-api.ts';
import { createPatience, isLive, withBeginning, withRunEvent } from './talk-state.ts';

interface TalkOptions {
  /** Address of the agent below the console's interface. */
  readonly root: string;
  /** What was said before. */
  readonly initial: readonly AgentRun[];
  /** Null: a session is begun with the first message. */
  readonly sessionId: number | null;
  /** What is run: draft, deployed, or the id of a version. */
  readonly what: string;
  /** A session was begun. */
  readonly onSession?: (id: number) => void;
}

type Open = (signal: AbortSignal) => AsyncIterable<RunStreamEvent>;

/** Takes events in as they come and tells of them once a frame, so that a fast answer does not stop the page. */
async function perFrame(events: AsyncIterable<RunStreamEvent>, onBatch: (batch: readonly RunStreamEvent[]) => void) {
  let batch: RunStreamEvent[] = [];
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

/** A talk with an agent, and the answer that is being written in it. */
export function useTalk({ root, initial, sessionId, what, onSession }: TalkOptions) {
  const [runs, setRuns] = useState(initial);
  const [session, setSession] = useState(sessionId);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  /** The last end of a stream, and how long to wait after it: another one each time. */
  const [broken, setBroken] = useState({ pauseMs: 0 });
  const patience = useRef(createPatience());
  const reading = useRef<AbortController | null>(null);

  const read = useCallback(async (open: Open, reply: string | null, begun?: (session: number) => void) => {
    const abort = new AbortController();
    reading.current?.abort();
    reading.current = abort;
    setBusy(true);
    setFailure(null);
    let id = '';
    const take = (batch: readonly RunStreamEvent[]) => {
      for (const event of batch) {
        patience.current.heard(id, event);
        if (id === '' && event.type === 'run') {
          const { run } = event;
          id = run.id;
          setRuns((old) => withBeginning(old, run, reply));
          setSession(run.session_id);
          if (begun !== undefined) begun(run.session_id);
        } else setRuns((old) => withRunEvent(old, id, event));
        // With the end, not with that of the line, which may come later: a question that is shown can be answered.
        if (event.type === 'state' && !isLive(event)) setBusy(false);
      }
    };
    const broke = () => {
      patience.current.broke();
      setBroken({ pauseMs: patience.current.pauseMs() });
    };
    try {
      await perFrame(open(abort.signal), take);
      broke();
    } catch (error) {
      if (abort.signal.aborted) return;
      setFailure(error);
      // What the service refuses it would refuse again.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) broke();
    } finally {
      if (reading.current === abort) {
        reading.current = null;
        setBusy(false);
      }
    }
  }, []);

  // Leaving the page ends the reading; the run goes on without it.
  useEffect(() => () => reading.current?.abort(), []);

  const last = runs.at(-1);
  const live = last !== undefined && isLive(last) ? last.id : null;
  useEffect(() => {
    if (live === null || reading.current !== null) return undefined;
    // A stream that ended before its run did is begun again, after a while that grows.
    const again = () => void read((signal) => follow(root, live, signal), null);
    const timer = setTimeout(again, broken.pauseMs);
    return () => clearTimeout(timer);
  }, [live, root, read, broken]);

  const waits = last?.state === 'input-required' ? last : null;
  return {
    runs,
    failure,
    running: busy || live !== null,
    /** The run that asked the person something, if one did. */
    waits,
    say(message: Message) {
      const answers = waits?.id ?? null;
      void read(
        (signal) => begin(root, { message, sessionId: session, answers, what }, signal),
        answers === null ? null : message.text,
        onSession,
      );
    },
    async stop() {
      if (last !== undefined) await cancel(root, last.id).catch(setFailure);
    },
  };
}
