import type { RunFailure } from '@ai-studio/contract/agents/run.ts';
import type { Database } from '../../ports/database.ts';
import { graphOf } from '../definition/graph.ts';
import { type Execution, NodeFailure, openExecution, RunEnding } from './execution.ts';
import { type ClaimedRun, readAnswer, readSteps } from './rows.ts';
import { LostRun, type RunLog } from './run-log.ts';
import { runScope, type ScopeDeps, Waiting } from './scope.ts';

export interface RunOneDeps {
  readonly db: Database;
  readonly scopes: ScopeDeps;
}

/** What this process knows of a run before it goes on with it. */
interface Before {
  readonly steps: Awaited<ReturnType<typeof readSteps>>;
  readonly answer: string;
}

/** What was done of a run before; nothing of one that has just been stored. */
export async function readBefore({ query }: Database, { id, last_seq }: ClaimedRun): Promise<Before> {
  if (last_seq <= 1) return { steps: new Map(), answer: '' };
  const [steps, answer] = await Promise.all([readSteps(query, id), readAnswer(query, id)]);
  return { steps, answer };
}

/** How a run ended, in words for its callers. */
function failureOf(error: unknown, failNode: ScopeDeps['failureOf']): RunFailure {
  if (error instanceof NodeFailure) return error.failure;
  if (error instanceof RunEnding) return { code: 'timeout', message: error.message, node: null };
  return failNode(error, null);
}

function finish({ log, answers, questions }: Execution, error: unknown, deps: RunOneDeps): void {
  const citations = answers.citations();
  if (error === null) return log.change({ state: 'completed', over: { citations, ended: true } });
  if (error instanceof Waiting) {
    const [question = ''] = questions;
    return log.change({ state: 'input-required', question, over: { citations, ended: false } });
  }
  if (error instanceof RunEnding && error.why === 'canceled')
    return log.change({ state: 'canceled', over: { citations, ended: true } });
  const failure = failureOf(error, deps.scopes.failureOf);
  log.change({ state: 'failed', failure, over: { citations, ended: true } });
}

/**
 * Runs a run, from where it was left, to its end or until it waits for a person. Resolves once that is written; with false where the
 * service stops before. Rejects with LostRun, and with the database's failures.
 */
export async function runOne(
  deps: RunOneDeps,
  row: ClaimedRun,
  log: RunLog,
  { steps }: Before,
  end: AbortController,
): Promise<boolean> {
  const execution = openExecution({ db: deps.db, row, log, steps, end });
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
        outermost: true,
        templates: new Map(),
        said: [],
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
  if (error instanceof RunEnding && error.why === 'closing') {
    await log.written();
    return false;
  }
  if (error instanceof LostRun) throw error;
  finish(execution, error, deps);
  await log.written();
  return true;
}
