import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agents.ts';

export const isLive = ({ state }: Pick<AgentRun, 'state'>): boolean => state === 'submitted' || state === 'working';

const replaced = (runs: readonly AgentRun[], run: AgentRun): readonly AgentRun[] => {
  const at = runs.findIndex(({ id }) => id === run.id);
  return at < 0 ? [...runs, run] : runs.with(at, run);
};

/**
 * Runs when the stream of one begins. Its text comes anew from the first event on; where the run goes on with a reply of the
 * person, what was there stays.
 */
export function withBeginning(runs: readonly AgentRun[], run: AgentRun, reply: string | null): readonly AgentRun[] {
  const before = runs.find(({ id }) => id === run.id);
  const said = before?.exchanges ?? [];
  const { answer = '', citations = [], question } = (reply === null ? undefined : before) ?? {};
  const exchange = { question: question ?? '', text: reply ?? '', at: answer.length };
  return replaced(runs, {
    ...run,
    state: 'working',
    answer,
    question: null,
    failure: null,
    exchanges: reply === null ? said : [...said, exchange],
    citations,
  });
}

/** Runs after an event of one of them. */
export function withRunEvent(runs: readonly AgentRun[], id: string, event: RunStreamEvent): readonly AgentRun[] {
  const run = runs.find((one) => one.id === id);
  if (event.type === 'run') return replaced(runs, { ...event.run, exchanges: run?.exchanges ?? [] });
  if (run === undefined) return runs;
  if (event.type === 'text') return replaced(runs, { ...run, answer: run.answer + event.text });
  if (event.type === 'citations') return replaced(runs, { ...run, citations: event.citations });
  if (event.type === 'state')
    return replaced(runs, {
      ...run,
      state: event.state,
      question: event.question ?? null,
      failure: event.failure ?? null,
    });
  return runs;
}

const PAUSE_MS = 1_000;
/** Somebody looks at it, and one question costs the service little. */
const MAX_PAUSES = 5;

/** How long to wait before a stream that broke is begun again: longer each time, until one brings something new. */
export interface Patience {
  /** A stream of the run of this id brought an event; one that is begun again brings the earlier ones too. */
  heard(id: string, event: RunStreamEvent): void;
  /** A stream has ended before its run did. */
  broke(): void;
  pauseMs(): number;
}

export function createPatience(): Patience {
  let runId = '';
  let seq = 0;
  let breaks = 0;
  return {
    heard(id, event) {
      if (event.type === 'run' || (id === runId && event.seq <= seq)) return;
      runId = id;
      seq = event.seq;
      breaks = 0;
    },
    broke: () => void breaks++,
    pauseMs: () => Math.min(breaks, MAX_PAUSES) * PAUSE_MS,
  };
}
