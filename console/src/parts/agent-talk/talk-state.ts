import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agents.ts';

export const isLive = ({ state }: Pick<AgentRun, 'state'>): boolean => state === 'submitted' || state === 'working';

const replaced = (runs: readonly AgentRun[], run: AgentRun): readonly AgentRun[] => {
  const at = runs.findIndex(({ id }) => id === run.id);
  return at < 0 ? [...runs, run] : runs.with(at, run);
};

/**
 * Runs when the stream of one begins. Its text comes anew from the first event on; where the run goes on with an answer of the
 * person, what was there stays.
 */
export function withBeginning(runs: readonly AgentRun[], run: AgentRun, goesOn: boolean): readonly AgentRun[] {
  const before = goesOn ? runs.find(({ id }) => id === run.id) : undefined;
  const answer = before?.answer ?? '';
  return replaced(runs, {
    ...run,
    state: 'working',
    answer,
    question: null,
    failure: null,
    citations: before?.citations ?? [],
  });
}

/** Runs after an event of one of them. */
export function withRunEvent(runs: readonly AgentRun[], id: string, event: RunStreamEvent): readonly AgentRun[] {
  if (event.type === 'run') return replaced(runs, event.run);
  const run = runs.find((one) => one.id === id);
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
