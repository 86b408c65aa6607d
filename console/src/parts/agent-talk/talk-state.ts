import type { AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';

export const isLive = ({ state }: Pick<AgentRun, 'state'>): boolean => state === 'submitted' || state === 'working';

const upserted = (runs: readonly AgentRun[], run: AgentRun): readonly AgentRun[] => {
  const at = runs.findIndex(({ id }) => id === run.id);
  return at < 0 ? [...runs, run] : runs.with(at, run);
};

/**
 * Runs when the stream of one begins. Its text comes anew from the first event on; where the run goes on with a reply of the
 * person, what was there stays.
 */
export function withStartedRun(runs: readonly AgentRun[], run: AgentRun, reply: string | null): readonly AgentRun[] {
  const before = runs.find(({ id }) => id === run.id);
  const said = before?.exchanges ?? [];
  const { answer = '', citations = [], parts = [], question } = (reply === null ? undefined : before) ?? {};
  const exchange = { question: question ?? '', text: reply ?? '', at: answer.length };
  return upserted(runs, {
    ...run,
    state: 'working',
    answer,
    question: null,
    failure: null,
    exchanges: reply === null ? said : [...said, exchange],
    citations,
    parts,
  });
}

/** Runs after an event of one of them. */
export function withRunEvent(runs: readonly AgentRun[], id: string, event: RunStreamEvent): readonly AgentRun[] {
  const run = runs.find((one) => one.id === id);
  if (event.type === 'run') return upserted(runs, { ...event.run, exchanges: run?.exchanges ?? [] });
  if (run === undefined) return runs;
  if (event.type === 'text') return upserted(runs, { ...run, answer: run.answer + event.text });
  if (event.type === 'part') return upserted(runs, { ...run, parts: [...run.parts, event.part] });
  if (event.type === 'citations') return upserted(runs, { ...run, citations: event.citations });
  if (event.type === 'state')
    return upserted(runs, {
      ...run,
      state: event.state,
      question: event.question ?? null,
      failure: event.failure ?? null,
    });
  return runs;
}

const BACKOFF_STEP_MS = 1_000;
/** Kept low: a person is waiting, and a reconnect is cheap for the service. */
const MAX_BACKOFF_STEPS = 5;

/** Linear backoff between reconnects of an event stream; a new event resets it. */
export interface ReconnectBackoff {
  /** An event of run `id` arrived. Events that were seen before a reconnect are replayed, and do not reset the backoff. */
  received(id: string, event: RunStreamEvent): void;
  /** The stream closed before the run ended. */
  disconnected(): void;
  delayMs(): number;
}

export function createReconnectBackoff(): ReconnectBackoff {
  let runId = '';
  let seq = 0;
  let failures = 0;
  return {
    received(id, event) {
      if (event.type === 'run' || (id === runId && event.seq <= seq)) return;
      runId = id;
      seq = event.seq;
      failures = 0;
    },
    disconnected: () => void failures++,
    delayMs: () => Math.min(failures, MAX_BACKOFF_STEPS) * BACKOFF_STEP_MS,
  };
}
