import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { expect, test } from 'vitest';
import { resumedRun, isEnded, emptyRun, nodesOf, applyRunEvent } from './run-state.ts';

const at = '2026-11-21T12:00:00.000Z';
const events = (...bodies: readonly object[]) =>
  bodies.map((body, place) => RunStreamEvent.parse({ seq: place + 1, at, ...body }));
const begin = (step: string, node: string) => ({ type: 'step_begin', step, node, kind: 'model' });
const end = (step: string, node: string, more: object = {}) => ({
  type: 'step_end',
  step,
  node,
  state: 'done',
  ms: 10,
  tokens: 3,
  ...more,
});

test('nodes run, end and are counted over all their times; text and citations gather', () => {
  const view = events(
    { type: 'state', state: 'working' },
    begin('each[0]/search', 'search'),
    begin('each[1]/search', 'search'),
    end('each[0]/search', 'search'),
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'two' },
  ).reduce(applyRunEvent, emptyRun);
  expect(view.answer).toBe('One two');
  expect(view.nodes['search']).toMatchObject({ state: 'running', times: 1, open: ['each[1]/search'] });
  const [last] = events(end('each[1]/search', 'search', { state: 'failed', message: 'no' })).map((event) => ({
    ...event,
    seq: 7,
  }));
  const done = applyRunEvent(view, last as RunStreamEvent);
  expect(done.nodes['search']).toEqual({
    state: 'failed',
    times: 2,
    ms: 20,
    tokens: 6,
    message: 'no',
    open: [],
    since: null,
  });
});

test('an event that comes again changes nothing', () => {
  const [first] = events({ type: 'text', text: 'a' });
  const once = applyRunEvent(emptyRun, first as RunStreamEvent);
  expect(applyRunEvent(once, first as RunStreamEvent)).toBe(once);
});

test('the end of a run ends its steps; a question does not', () => {
  const asked = events(begin('ask', 'ask'), { type: 'state', state: 'input-required', question: 'Which?' }).reduce(
    applyRunEvent,
    emptyRun,
  );
  expect([isEnded(asked.state), asked.question, asked.nodes['ask']?.state]).toEqual([true, 'Which?', 'waiting']);
  const failed = events(begin('model', 'model'), {
    type: 'state',
    state: 'failed',
    failure: { code: 'model', message: 'no', node: 'model' },
  }).reduce(applyRunEvent, emptyRun);
  expect([failed.nodes['model']?.state, failed.failure?.message]).toEqual(['canceled', 'no']);
  expect(resumedRun(asked)).toMatchObject({ state: 'working', question: null, seq: 2 });
});

test('steps of agents that are called are not nodes of this one', () => {
  const view = events(
    begin('helper', 'helper'),
    begin('helper/model', 'model'),
    begin('helper/each[1]/search', 'search'),
    begin('each[0]/again[1]/tool', 'tool'),
  ).reduce(applyRunEvent, emptyRun);
  expect(Object.keys(view.nodes)).toEqual(['helper', 'tool']);
});

test('a run that was made before shows how each node fared, all its times together', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const step = (key: string, node: string, state: RunStep['state'], ms: number | null): RunStep => ({
    step: key,
    node,
    kind: 'model',
    state,
    inputs: null,
    outputs: null,
    failure: null,
    usage,
    attempts: 1,
    started_at: at,
    ended_at: ms === null ? null : new Date(Date.parse(at) + ms).toISOString(),
  });
  const nodes = nodesOf([
    step('each[0]/search', 'search', 'done', 20),
    step('each[1]/search', 'search', 'failed', 30),
    step('helper/model', 'model', 'done', 5),
    step('ask', 'ask', 'waiting', null),
  ]);
  expect(nodes['search']).toMatchObject({ state: 'failed', times: 2, ms: 50, tokens: 6 });
  expect(nodes['ask']).toMatchObject({ state: 'waiting', times: 0, open: ['ask'] });
  expect(nodes['model']).toBeUndefined();
});
