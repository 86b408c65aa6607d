import type { ChatBody, ChatCall, ChatRun, ChatSink, Engine, EngineUsage } from '../../ports/engine.ts';

const singleChoice = (body: ChatBody): ChatBody => ({
  peek: (field) => (field === 'n' ? undefined : body.peek(field)),
  get request() {
    return { ...body.request, n: 1 };
  },
  encode: (edits) => body.encode({ ...edits, n: undefined }),
});

const addNullable = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));

/** The prompt counts once, what was generated counts for each. */
const addUsage = (a: EngineUsage | null, b: EngineUsage): EngineUsage =>
  a
    ? {
        ...a,
        completionTokens: a.completionTokens + b.completionTokens,
        reasoningTokens: addNullable(a.reasoningTokens, b.reasoningTokens),
      }
    : b;

/** Several choices of an engine that makes only one a call: as many calls, their events merged. */
export function fanOut(engine: Engine, call: ChatCall, choices: number, sink: ChatSink): ChatRun {
  let open = choices;
  let over = false;
  let usage: EngineUsage | null = null;
  const runs: ChatRun[] = [];
  const abort = () => {
    over = true;
    for (const run of runs) run.abort();
  };
  const body = singleChoice(call.body);
  for (let choice = 0; choice < choices; choice++) {
    const run = engine.chat?.({ ...call, body }, (event) => {
      if (over) return;
      switch (event.type) {
        case 'usage':
          usage = addUsage(usage, event.usage);
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
