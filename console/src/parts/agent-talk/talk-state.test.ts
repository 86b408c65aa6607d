import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { describe, expect, test } from 'vitest';
import { createReconnectBackoff, isLive, withStartedRun, withRunEvent } from './talk-state.ts';

const at = '2026-01-02T03:04:05.000Z';
const run: AgentRun = {
  id: 'a'.repeat(32),
  session_id: 7,
  state: 'submitted',
  text: 'Hello',
  files: [],
  answer: '',
  question: null,
  exchanges: [],
  citations: [],
  parts: [],
  failure: null,
  feedback: null,
  evaluation: null,
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  version_number: 1,
  created_at: at,
  ended_at: null,
};
const text = (seq: number, words: string) => ({ seq, at, type: 'text', text: words }) as const;

describe('a talk with an agent', () => {
  test('takes the answer from the events, also when the run had ended before they came', () => {
    const begun = withStartedRun([], { ...run, state: 'completed', answer: 'Hello you' }, null);
    const grown = [text(2, 'Hello '), text(3, 'you')].reduce((runs, event) => withRunEvent(runs, run.id, event), begun);
    expect(grown[0]).toMatchObject({ answer: 'Hello you', state: 'working' });
    expect(isLive(grown[0] ?? run)).toBe(true);
    const ended = withRunEvent(grown, run.id, {
      type: 'run',
      run: { ...run, state: 'completed', answer: 'Hello you', ended_at: at },
    });
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({ answer: 'Hello you', state: 'completed', ended_at: at });
  });

  test('keeps what was said before the person replied, and the reply', () => {
    const asked = { ...run, state: 'input-required', answer: 'So far. ', question: 'Which?' } as const;
    const begun = withStartedRun([asked], { ...asked, question: null }, 'This one');
    expect(begun[0]).toMatchObject({
      answer: 'So far. ',
      question: null,
      exchanges: [{ question: 'Which?', text: 'This one', at: 8 }],
    });
    const ended = withRunEvent(withRunEvent(begun, run.id, text(9, 'Done.')), run.id, {
      type: 'run',
      run: { ...run, state: 'completed', answer: 'So far. Done.' },
    });
    expect(ended[0]).toMatchObject({ answer: 'So far. Done.', exchanges: [{ text: 'This one', at: 8 }] });
  });

  test('shows what the answer brings as it comes, also after a reply of the person', () => {
    const part = (id: string) => ({ kind: 'data', id, name: 'table', data: [{ id }] }) as const;
    const event = (seq: number, id: string) => ({ seq, at, type: 'part', part: part(id) }) as const;
    const begun = withRunEvent(withStartedRun([], run, null), run.id, event(2, 'a'));
    expect(begun[0]?.parts).toEqual([part('a')]);
    const asked = withRunEvent(begun, run.id, { seq: 3, at, type: 'state', state: 'input-required', question: '?' });
    const again = withRunEvent(withStartedRun(asked, run, 'This'), run.id, event(4, 'b'));
    expect(again[0]?.parts).toEqual([part('a'), part('b')]);
    // From the first event on, where a stream is read anew.
    expect(withStartedRun(again, run, null)[0]?.parts).toEqual([]);
  });

  test('shows the last state, question and failure, and the sources as they stand', () => {
    const runs = withStartedRun([], run, null);
    const failure = { code: 'internal', message: 'It failed', node: null };
    const failed = withRunEvent(runs, run.id, { seq: 2, at, type: 'state', state: 'failed', failure });
    expect(failed[0]).toMatchObject({ state: 'failed', failure, question: null });
    // Of a run that is not shown.
    expect(withRunEvent(runs, 'b'.repeat(32), text(2, 'x'))).toBe(runs);
  });
});

test('a stream that breaks is begun again later each time, and soon again once one brought something new', () => {
  const backoff = createReconnectBackoff();
  const broken = (...events: Parameters<typeof backoff.received>) => {
    backoff.received(...events);
    backoff.disconnected();
    return backoff.delayMs();
  };
  const pauses = [broken(run.id, text(2, 'a')), broken(run.id, { type: 'run', run }), broken(run.id, text(2, 'a'))];
  expect(pauses).toEqual([1_000, 2_000, 3_000]);
  expect(broken(run.id, text(3, 'b'))).toBe(1_000);
  for (let left = 20; left > 0; left -= 1) backoff.disconnected();
  expect(backoff.delayMs()).toBe(5_000);
  // The next question of the person.
  expect(broken('b'.repeat(32), text(2, 'a'))).toBe(1_000);
});
