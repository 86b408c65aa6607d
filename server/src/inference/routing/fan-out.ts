import type { ChatBody, ChatCall, ChatRun, ChatSink, Engine, EngineUsage } from '../../ports/engine.ts';

const singleChoice = (body: ChatBody): ChatBody => ({
  peek: (field) => (field === 'n' ? undefined : body.peek(field)),
  get request() {
    return { ...body.request, n: 1 };
  },
  encode: (edits, extras) => body.encode({ ...edits, n: undefined }, extras),
});

/** One of several calls that make one choice each. */
interface SingleCall {
  readonly call: ChatCall;
  /** Whether another call has the same prompt, which counts once. */
  readonly repeatsPrompt: boolean;
}

/** Several choices of one prompt, as a call each. */
export function callsOfChoices(call: ChatCall, choices: number): readonly SingleCall[] {
  const single = { ...call, body: singleChoice(call.body) };
  return Array.from({ length: choices }, (_, choice) => ({ call: single, repeatsPrompt: choice > 0 }));
}

/** The choices of several prompts, as a call each: first all of the first prompt. */
export const callsOfPrompts = (call: ChatCall, bodies: readonly ChatBody[], choices: number): readonly SingleCall[] =>
  bodies.flatMap((body) => callsOfChoices({ ...call, body }, choices / bodies.length));

const addNullable = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));

/** What was generated counts for each call, a prompt once. */
const addUsage = (a: EngineUsage | null, b: EngineUsage, repeatsPrompt: boolean): EngineUsage => ({
  ...(a ?? b),
  promptTokens: (a?.promptTokens ?? 0) + (repeatsPrompt ? 0 : b.promptTokens),
  completionTokens: (a?.completionTokens ?? 0) + b.completionTokens,
  reasoningTokens: addNullable(a?.reasoningTokens ?? null, b.reasoningTokens),
});

/** Makes several calls at once, the choice of each in their order, their events merged. */
export function fanOut(engine: Engine, calls: readonly SingleCall[], sink: ChatSink): ChatRun {
  let open = calls.length;
  let over = false;
  let usage: EngineUsage | null = null;
  const runs: ChatRun[] = [];
  const abort = () => {
    over = true;
    for (const run of runs) run.abort();
  };
  for (const [choice, { call, repeatsPrompt }] of calls.entries()) {
    const run = engine.chat?.(call, (event) => {
      if (over) return;
      switch (event.type) {
        case 'usage':
          usage = addUsage(usage, event.usage, repeatsPrompt);
          return;
        case 'end':
          if (--open > 0) return;
          over = true;
          if (usage) sink({ type: 'usage', usage });
          sink(event);
          return;
        case 'error':
          abort();
          sink(event);
          return;
        default:
          sink({ ...event, choice });
      }
    });
    if (run) runs.push(run);
  }
  return {
    abort,
    pause: () => runs.forEach((run) => run.pause()),
    resume: () => runs.forEach((run) => run.resume()),
  };
}
