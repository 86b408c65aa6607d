import { useEffect, useReducer, useRef } from 'react';
import { type Answer, streamChat } from '../../api/chat-stream.ts';
import { type Pane, type Turn, firstPane, messagesOf, newAnswer, panesReducer } from './panes.ts';
import { type Settings, requestBody } from './request.ts';

/** The panes and what can be done with them. */
export interface Panes {
  readonly panes: readonly Pane[];
  add(): void;
  remove(pane: number): void;
  clear(): void;
  set(pane: number, settings: Settings): void;
  /** Says the same to every pane. */
  ask(text: string): void;
  /** Answers a call of a tool; once none is open the model goes on. */
  giveResult(pane: Pane, callId: string, text: string): void;
  /** Drops this answer and asks for another. */
  again(pane: Pane, turn: number): void;
  /** Changes what was said, drops what followed and asks. */
  rephrase(pane: Pane, turn: number, text: string): void;
  stop(): void;
}

/** Calls back at most once a frame, with the latest. */
function everyFrame<T>(onFrame: (value: T) => void) {
  let latest: { value: T } | null = null;
  let frame = 0;
  const flush = () => {
    frame = 0;
    if (latest !== null) onFrame(latest.value);
    latest = null;
  };
  return {
    next(value: T) {
      latest = { value };
      if (frame === 0) frame = requestAnimationFrame(flush);
    },
    end() {
      cancelAnimationFrame(frame);
      flush();
    },
  };
}

/** Panes of which the first has this model, and each further one a model of `models` that no other has. */
export function usePanes(model: string, models: readonly string[]): Panes {
  const [panes, dispatch] = useReducer(panesReducer, [firstPane(model)]);
  const counter = useRef(1);
  const running = useRef(new Map<number, AbortController>());
  const nextId = () => counter.current++;

  const stop = (pane?: number) => {
    for (const [id, abort] of running.current) if (pane === undefined || pane === id) abort.abort();
  };
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const abort of all.values()) abort.abort();
    };
  }, []);

  const run = async (pane: Pane, turns: readonly Turn[]): Promise<void> => {
    const abort = new AbortController();
    running.current.set(pane.id, abort);
    const turn = newAnswer(nextId(), pane.settings.model);
    dispatch({ type: 'say', pane: pane.id, turn });
    const growing = everyFrame((answer: Answer) => dispatch({ type: 'grow', pane: pane.id, turn: turn.id, answer }));
    const end = (state: 'done' | 'stopped' | 'failed', error: unknown) =>
      dispatch({ type: 'end', pane: pane.id, turn: turn.id, state, error });
    try {
      const body = requestBody(pane.settings, messagesOf(turns));
      growing.next(await streamChat(body, { signal: abort.signal, onAnswer: growing.next }));
      growing.end();
      end('done', null);
    } catch (error) {
      growing.end();
      if (abort.signal.aborted) end('stopped', null);
      else end('failed', error);
    } finally {
      if (running.current.get(pane.id) === abort) running.current.delete(pane.id);
    }
  };

  const say = (pane: Pane, before: readonly Turn[], turn: Turn, goOn: boolean) => {
    dispatch({ type: 'say', pane: pane.id, turn });
    if (goOn) void run(pane, [...before, turn]);
  };

  return {
    panes,
    add: () => dispatch({ type: 'add', id: nextId(), models }),
    remove(pane) {
      stop(pane);
      dispatch({ type: 'remove', pane });
    },
    clear() {
      stop();
      dispatch({ type: 'clear' });
    },
    set: (pane, settings) => dispatch({ type: 'settings', pane, settings }),
    ask(text) {
      for (const pane of panes) say(pane, pane.turns, { kind: 'user', id: nextId(), text }, true);
    },
    giveResult(pane, callId, text) {
      const turn: Turn = { kind: 'tool', id: nextId(), callId, text };
      const open = new Set(
        pane.turns.flatMap((one) => (one.kind === 'answer' ? one.answer.toolCalls : [])).map(({ id }) => id),
      );
      for (const one of [...pane.turns, turn]) if (one.kind === 'tool') open.delete(one.callId);
      say(pane, pane.turns, turn, open.size === 0);
    },
    again(pane, turn) {
      dispatch({ type: 'drop', pane: pane.id, from: turn });
      void run(
        pane,
        pane.turns.filter(({ id }) => id < turn),
      );
    },
    rephrase(pane, turn, text) {
      dispatch({ type: 'drop', pane: pane.id, from: turn });
      const before = pane.turns.filter(({ id }) => id < turn);
      say(pane, before, { kind: 'user', id: nextId(), text }, true);
    },
    stop: () => stop(),
  };
}
