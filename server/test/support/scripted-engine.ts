import { toJsonText } from '../../src/kernel/json-text.ts';
import type { ChatCall, ChatSink, Engine, EngineError } from '../../src/ports/engine.ts';

/** An engine whose words the test gives. */
export function scriptedEngine() {
  const calls: { call: ChatCall; sink: ChatSink; aborted: boolean }[] = [];
  let refusal: EngineError | null = null;
  const engine: Engine = {
    id: 'script',
    kind: 'builtin',
    traits: { choices: true, reportsStop: true },
    get refusal() {
      return refusal;
    },
    chat(call, sink) {
      const running = { call, sink, aborted: false };
      calls.push(running);
      return { abort: () => void (running.aborted = true), pause: () => undefined, resume: () => undefined };
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const last = () => {
    const call = calls.at(-1);
    if (!call) throw new Error('the engine was not called');
    return call;
  };
  return {
    engine,
    calls,
    last,
    /** Has it refuse calls beforehand, as one that is busy. */
    setRefusal: (error: EngineError | null) => void (refusal = error),
    say: (text: string, channel: 'content' | 'reasoning' = 'content') =>
      last().sink({ type: 'text', choice: 0, channel, json: toJsonText(text) }),
    /** Fails, whatever was said before. */
    fail: (error: EngineError) => last().sink({ type: 'error', error }),
    end() {
      const { sink } = last();
      sink({ type: 'finish', choice: 0, reason: 'stop', stop: null });
      const usage = { promptTokens: 7, completionTokens: 3, reasoningTokens: 1, promptTokensDetails: null };
      sink({ type: 'usage', usage });
      sink({ type: 'end', systemFingerprint: null });
    },
  };
}
