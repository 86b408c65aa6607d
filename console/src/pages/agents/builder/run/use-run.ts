import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { type NewRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sseData } from '../../../../api/chat-stream.ts';
import { api, send } from '../../../../api/client.ts';
import { ApiError } from '../../../../api/error.ts';
import { agentPath, sessionQuery, traceQuery } from '../../queries.ts';
import { type RunSnapshot, resumedRun, isEnded, emptyRun, nodesOf, applyRunEvent, viewOf } from './run-state.ts';

/** A message of the person and what became of it. */
export interface Turn {
  readonly id: number;
  readonly text: string;
  readonly files: readonly RunFile[];
  readonly view: RunSnapshot;
  /** Why it could not be followed; null where it could. */
  readonly error: unknown;
}

/** How often a broken event stream is reconnected. */
const MAX_RETRIES = 4;
const RETRY_DELAY_MS = 700;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Reads the events of a stream; resolves when it ends. */
async function readEvents(response: Response, onEvent: (event: RunStreamEvent) => void): Promise<void> {
  if (response.body === null) return;
  for await (const data of sseData(response.body)) if (data !== '') onEvent(RunStreamEvent.parse(JSON.parse(data)));
}

const isDisconnect = (error: unknown) =>
  !(error instanceof ApiError) || error.code === 'network' || error.status >= 502 || error.status === 0;

/** A talk with the draft of an agent, run by run. */
export function useRun(agentId: string, flush: () => Promise<boolean>) {
  const queries = useQueryClient();
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [busy, setBusy] = useState(false);
  // A message that the service has not taken yet.
  const [sending, setSending] = useState(false);
  // The turn whose nodes are shown; null: the last.
  const [picked, setPicked] = useState<number | null>(null);
  const abort = useRef<AbortController | null>(null);
  const counter = useRef(0);
  const path = agentPath(agentId);
  useEffect(() => () => abort.current?.abort(), []);

  /** Starts a run, or follows an existing one (`body` null), to its end. Reconnects when the stream breaks. */
  const follow = useCallback(
    async (
      body: NewRun | null,
      first: RunSnapshot,
      signal: AbortSignal,
      onBegun: () => void,
      onView: (view: RunSnapshot) => void,
    ): Promise<void> => {
      let view = first;
      const onEvent = (event: RunStreamEvent) => {
        view = applyRunEvent(view, event);
        if (event.type === 'run' && body !== null && body.run_id === undefined)
          view = { ...view, clockSkewMs: Date.now() - Date.parse(event.run.created_at) };
        onView(view);
      };
      let begun = body === null;
      for (let tries = 0; ; tries += 1) {
        try {
          const response = begun
            ? await send('GET', `${path}/runs/${view.runId ?? ''}/events`, { query: { after: view.seq }, signal })
            : await send('POST', `${path}/runs`, { body: body ?? {}, signal });
          if (!begun) onBegun();
          await readEvents(response, onEvent);
          if (isEnded(view.state)) return;
        } catch (error) {
          if (signal.aborted || !isDisconnect(error) || view.runId === null) throw error;
        }
        begun = view.runId !== null;
        if (!begun || tries >= MAX_RETRIES) throw new ApiError(0, 'network', 'The run was cut off');
        await wait(RETRY_DELAY_MS, signal);
        signal.throwIfAborted();
      }
    },
    [path],
  );

  const set = useCallback(
    (id: number, change: (turn: Turn) => Turn) =>
      setTurns((all) => all.map((turn) => (turn.id === id ? change(turn) : turn))),
    [],
  );
  /** Runs to the end. Rejects where it was not begun; what happens later is told in its turn. */
  const run = async (
    id: number,
    body: NewRun | null,
    first: RunSnapshot,
    onBegun: () => void = () => undefined,
  ): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    let begun = false;
    const begin = () => {
      begun = true;
      setBusy(true);
      onBegun();
    };
    try {
      if (body === null) begin();
      else if (!(await flush())) throw new ApiError(0, 'not_saved', 'The draft could not be saved');
      signal.throwIfAborted();
      await follow(body, first, signal, begin, (view) => {
        set(id, (turn) => ({ ...turn, view }));
        // With the end, not with that of the line, which may come later: a question that is shown can be answered.
        if (isEnded(view.state)) setBusy(false);
      });
    } catch (error) {
      if (!begun) throw error;
      if (!signal.aborted) set(id, (turn) => ({ ...turn, error }));
    } finally {
      // Another may have begun meanwhile.
      if (abort.current === controller && !signal.aborted) setBusy(false);
      await queries.invalidateQueries({ queryKey: ['agent', agentId, 'trace'] });
    }
  };

  /** Resolves once the service has the message. Rejects where it has not; then nothing of it is shown. */
  const sendMessage = async (text: string, files: readonly RunFile[]): Promise<void> => {
    const last = turns.at(-1);
    const answers = last?.view.state === 'input-required';
    const first = answers ? resumedRun(last.view) : emptyRun;
    counter.current += 1;
    const id = counter.current;
    const sessionId = last?.view.sessionId ?? null;
    const body: NewRun = {
      text,
      files: files.map((file) => file.id),
      what: 'draft',
      ...(sessionId === null ? {} : { session_id: sessionId }),
      ...(answers && last.view.runId !== null ? { run_id: last.view.runId } : {}),
    };
    setSending(true);
    try {
      await new Promise<void>((resolve, reject) => {
        run(id, body, first, () => {
          setTurns((all) => [...all, { id, text, files, view: first, error: null }]);
          setPicked(null);
          resolve();
        }).catch(reject);
      });
    } finally {
      setSending(false);
    }
  };

  /** Shows a session that was held before; a run of it that is under way is followed. */
  const open = async (session: number): Promise<void> => {
    abort.current?.abort();
    const { items } = await queries.query(sessionQuery(agentId, session));
    const last = items.at(-1);
    const steps = last === undefined ? [] : (await queries.query(traceQuery(agentId, last.id))).steps;
    const opened = items.map((one): Turn => {
      counter.current += 1;
      return {
        id: counter.current,
        text: one.text,
        files: one.files,
        view: one === last ? viewOf(one, steps) : viewOf(one),
        error: null,
      };
    });
    setTurns(opened);
    setPicked(null);
    setBusy(false);
    const turn = opened.at(-1);
    // From its first event on: the log tells all of it again.
    if (turn !== undefined && !isEnded(turn.view.state))
      await run(turn.id, null, { ...emptyRun, runId: turn.view.runId, sessionId: turn.view.sessionId });
  };

  return {
    turns,
    /** The turn whose nodes are shown. */
    shown: turns.find(({ id }) => id === picked) ?? turns.at(-1),
    busy,
    sending,
    sendMessage,
    open,
    /** Shows how the nodes of a turn fared. */
    async show({ id, view }: Turn): Promise<void> {
      if (view.runId !== null && Object.keys(view.nodes).length === 0) {
        const { steps } = await queries.query(traceQuery(agentId, view.runId));
        set(id, (turn) => ({ ...turn, view: { ...turn.view, nodes: nodesOf(steps) } }));
      }
      setPicked(id);
    },
    /** Ends the run; the events that follow report it. */
    async cancel(): Promise<void> {
      const runId = turns.at(-1)?.view.runId ?? null;
      if (runId !== null) await api.run('POST', `${path}/runs/${runId}/cancel`, {});
    },
    /** Begins a new session. */
    clear(): void {
      abort.current?.abort();
      setBusy(false);
      setTurns([]);
    },
  };
}
export type Run = ReturnType<typeof useRun>;
