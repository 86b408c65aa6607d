import type { RunFailure, RunPart } from '@ai-studio/contract/agents/run.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import { LeaseLost } from '../../jobs/worker.ts';
import { type Database, isDatabaseUnavailable } from '../../ports/database.ts';
import { graphOf } from '../definition/graph.ts';
import { readParts } from './answer-parts.ts';
import { type Execution, isResumable, NodeFailure, openExecution, RunInterrupt } from './execution.ts';
import { mapStrings } from './map-strings.ts';
import { type ClaimedRun, readAnswer, readSteps } from './rows.ts';
import type { RunLog } from './run-log.ts';
import { endOpenSteps, guardsOf, runScope, type ScopeDeps } from './scope.ts';
import { InputRequired } from './input-required.ts';

export interface ExecuteRunDeps {
  readonly db: Database;
  readonly scopes: ScopeDeps;
  /** What hides the personal values of a text in a run's trace; null where the policy wants nothing hidden. */
  readonly traceRedaction: (execution: Execution) => Promise<((text: string) => string) | null>;
}

/** The trace of a run that has ended holds no values that its models were not to see. */
async function redactTrace({ traceRedaction }: ExecuteRunDeps, execution: Execution): Promise<void> {
  const hide = await traceRedaction(execution);
  if (hide === null) return;
  const spend = createTurnBudget();
  for (const step of execution.steps.values()) {
    step.inputs = await mapStrings(step.inputs, hide, spend);
    step.outputs = await mapStrings(step.outputs, hide, spend);
    if (step.failure !== null) step.failure = { ...step.failure, message: hide(step.failure.message) };
    execution.log.step(step);
  }
}

/** What this process knows of a run before it goes on with it. */
interface RunProgress {
  readonly steps: Awaited<ReturnType<typeof readSteps>>;
  readonly answer: string;
  readonly parts: readonly RunPart[];
}

/** What was done of a run before; nothing of one that has just been stored. */
export async function readProgress({ query }: Database, { id, last_seq }: ClaimedRun): Promise<RunProgress> {
  if (last_seq <= 1) return { steps: new Map(), answer: '', parts: [] };
  const [steps, answer, parts] = await Promise.all([readSteps(query, id), readAnswer(query, id), readParts(query, id)]);
  return { steps, answer, parts };
}

/** How a run ended, in words for its callers. */
function failureOf(error: unknown, failNode: ScopeDeps['failureOf']): RunFailure {
  if (error instanceof NodeFailure) return error.failure;
  if (error instanceof RunInterrupt) return { code: 'timeout', message: error.message, node: null };
  return failNode(error, null);
}

function finish({ log, answers, parts, questions }: Execution, error: unknown, deps: ExecuteRunDeps): void {
  const said = { citations: answers.citations(), parts: parts.all() };
  if (error === null) return log.change({ state: 'completed', over: { ...said, ended: true } });
  if (error instanceof InputRequired) {
    const [question = ''] = questions;
    return log.change({ state: 'input-required', question, over: { ...said, ended: false } });
  }
  if (error instanceof RunInterrupt && error.why === 'canceled')
    return log.change({ state: 'canceled', over: { ...said, ended: true } });
  const failure = failureOf(error, deps.scopes.failureOf);
  log.change({ state: 'failed', failure, over: { ...said, ended: true } });
}

/**
 * Runs a run, from where it was left, to its end or until it waits for a person. Resolves once that is written; with false where the
 * service stops or loses the database before. Rejects with LeaseLost, and with the database's failures.
 */
export async function executeRun(
  deps: ExecuteRunDeps,
  row: ClaimedRun,
  log: RunLog,
  { steps, parts }: RunProgress,
  end: AbortController,
): Promise<boolean> {
  const execution = openExecution({ db: deps.db, row, log, steps, parts, end });
  log.change({ state: 'working' });
  let error: unknown = null;
  try {
    end.signal.throwIfAborted();
    await runScope(deps.scopes, {
      flow: {
        execution,
        graph: graphOf(row.definition),
        input: row.input,
        agents: [row.agent_id],
        seesAll: row.sees_all,
        guards: guardsOf(row.definition, []),
        outermost: true,
        answers: execution.answers,
        templates: new Map(),
        collected: [],
        parts: null,
      },
      container: null,
      prefix: '',
      results: new Map(),
      locals: {},
      outer: null,
      streamed: new Map(),
    });
  } catch (thrown) {
    error = thrown;
  }
  if (error instanceof LeaseLost) throw error;
  // One that waits for a person goes on with what its nodes gave.
  if (!isResumable(error) && !(error instanceof InputRequired))
    try {
      await redactTrace(deps, execution);
      endOpenSteps(execution);
    } catch (thrown) {
      if (!isDatabaseUnavailable(thrown)) throw thrown;
      error = new RunInterrupt('database_away', 'the database is away');
    }
  if (isResumable(error)) {
    // Until the database is back the time does not count.
    log.stopClock();
    await log.written();
    return false;
  }
  finish(execution, error, deps);
  await log.written();
  return true;
}

/**
 * Ends a run that was taken up again and again, and never got further. What of its trace would be hidden is not kept: to look through it may
 * be what ended the service. Resolves once that is written; rejects as {@link executeRun}.
 */
export async function failExhausted(
  deps: ExecuteRunDeps,
  row: ClaimedRun,
  log: RunLog,
  { steps, parts }: RunProgress,
  end: AbortController,
): Promise<void> {
  const execution = openExecution({ db: deps.db, row, log, steps, parts, end });
  endOpenSteps(execution);
  if ((await deps.traceRedaction(execution)) !== null)
    for (const step of steps.values()) {
      step.inputs = null;
      step.outputs = null;
      if (step.failure !== null) step.failure = { ...step.failure, message: '' };
      log.step(step);
    }
  const message = 'The run ended the service several times and was given up';
  const failure = { code: 'internal', message, node: null };
  log.change({ state: 'failed', failure, over: { citations: [], parts: execution.parts.all(), ended: true } });
  await log.written();
}
