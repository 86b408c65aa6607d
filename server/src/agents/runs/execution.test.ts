import { expect, test } from 'vitest';
import type { Database } from '../../ports/database.ts';
import { openExecution } from './execution.ts';
import { RunLog } from './run-log.ts';
import type { ClaimedRun } from './rows.ts';
import { newStep, type Step } from './steps.ts';

/** An execution of a run that has had so many steps; none of its parts is used by the test. */
function executionOf(count: number) {
  const keys = Array.from({ length: count }, (_, at) => `each[${at}]/model`);
  const steps = new Map<string, Step>(keys.map((key) => [key, newStep(key, 'model', 'model')]));
  const row = { id: 'r', definition: { limits: { tokens: 100 } } } as unknown as ClaimedRun;
  const begun = { id: 'r', claim: 'c', lastSeq: 0, answer: '', promptTokens: 0, completionTokens: 0, spentMs: 0 };
  const log = new RunLog({ scheduleWrite: () => undefined }, begun);
  return {
    steps,
    execution: openExecution({ db: {} as Database, row, log, steps, parts: [], end: new AbortController() }),
  };
}

test('a run has 5,000 steps and no more; those it had are there however many they are', () => {
  const { steps, execution } = executionOf(4_999);
  expect(execution.admit('last')).toBeNull();
  steps.set('last', newStep('last', 'model', 'model'));
  expect(() => execution.admit('one more')).toThrow(
    expect.objectContaining({ code: 'unprocessable', reason: 'step_budget', message: 'A run has at most 5000 steps' }),
  );
  expect(execution.admit('last')).toBe(steps.get('last'));
});
