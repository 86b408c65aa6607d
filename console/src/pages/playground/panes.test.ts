import { expect, test } from 'vitest';
import { emptyAnswer } from '../../api/chat-stream.ts';
import { type Pane, firstPane, isRunning, messagesOf, newAnswer, pendingToolCalls, panesReducer } from './panes.ts';

const call = { id: 'c1', name: 'look', arguments: '{}' };
const asked = (...panes: Pane[]) =>
  panesReducer(panesReducer(panes, { type: 'say', pane: 0, turn: { kind: 'user', id: 1, text: 'hi' } }), {
    type: 'say',
    pane: 0,
    turn: newAnswer(2, 'm'),
  });

test('an answer grows, ends, and is sent without its thoughts', () => {
  let panes = asked(firstPane('m'));
  expect(panes.some(isRunning)).toBe(true);
  expect(messagesOf(panes[0]?.turns ?? [])).toEqual([{ role: 'user', content: 'hi' }]);
  const answer = { ...emptyAnswer, reasoning: 'hm', content: 'hello' };
  panes = panesReducer(panes, { type: 'grow', pane: 0, turn: 2, answer });
  panes = panesReducer(panes, { type: 'end', pane: 0, turn: 2, state: 'stopped', error: null });
  expect(panes.some(isRunning)).toBe(false);
  expect(messagesOf(panes[0]?.turns ?? [])).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
  ]);
  expect(panesReducer(panes, { type: 'drop', pane: 0, from: 2 })[0]?.turns).toHaveLength(1);
});

test('calls of tools wait for their results, which are sent with them', () => {
  let panes = asked(firstPane('m'));
  panes = panesReducer(panes, { type: 'grow', pane: 0, turn: 2, answer: { ...emptyAnswer, toolCalls: [call] } });
  panes = panesReducer(panes, { type: 'end', pane: 0, turn: 2, state: 'done', error: null });
  expect(panes[0] && pendingToolCalls(panes[0])).toEqual(['c1']);
  panes = panesReducer(panes, { type: 'say', pane: 0, turn: { kind: 'tool', id: 3, callId: 'c1', text: '42' } });
  expect(panes[0] && pendingToolCalls(panes[0])).toEqual([]);
  expect(messagesOf(panes[0]?.turns ?? []).slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '42' },
  ]);
});

test('there is always a pane, and never more than fit', () => {
  let panes: readonly Pane[] = [firstPane('m')];
  expect(panesReducer(panes, { type: 'remove', pane: 0 })).toHaveLength(1);
  for (let id = 1; id < 9; id++) panes = panesReducer(panes, { type: 'add', id, models: ['m', 'n', 'o'] });
  expect(panes).toHaveLength(4);
  // Each with a model of its own, as long as there are more.
  expect(panes.map(({ settings }) => settings.model)).toEqual(['m', 'n', 'o', 'o']);
});
