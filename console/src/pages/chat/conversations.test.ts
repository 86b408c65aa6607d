import type { Conversation, ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { expect, test } from 'vitest';
import { type Question, isRunning, withTurnEvent, truncatedAt } from './conversations.ts';

const message = (id: string, role: 'user' | 'assistant', more: Partial<ConversationMessage> = {}) =>
  ({
    id,
    role,
    content: '',
    reasoning: null,
    state: 'done',
    compared: false,
    versions: [id],
    ...more,
  }) as ConversationMessage;
const empty = { id: 'c', title: '', messages: [], answers_beside: [] } as unknown as Conversation;

test('an answer grows from its start to its end', () => {
  const question = message('q', 'user', { content: '왜?' });
  const answer = message('a', 'assistant', { state: 'running' });
  let now = withTurnEvent(empty, { type: 'start', question, answer });
  now = withTurnEvent(now, { type: 'reasoning', id: 'a', text: '음' });
  now = withTurnEvent(now, { type: 'content', id: 'a', text: '그래' });
  now = withTurnEvent(now, { type: 'content', id: 'a', text: '서' });
  expect(now.messages.at(-1)).toMatchObject({ reasoning: '음', content: '그래서' });
  expect(isRunning(now)).toBe(true);
  const whole = message('a', 'assistant', { content: '그래서.' });
  now = withTurnEvent(now, { type: 'end', answer: whole, title: '왜?' });
  expect(now).toMatchObject({ title: '왜?', messages: [question, whole] });
  expect(isRunning(now)).toBe(false);
});

test('one that is followed later does not double what is there', () => {
  const answer = message('a', 'assistant', { state: 'running', content: '그' });
  const here = { ...empty, messages: [message('q', 'user'), answer] };
  const now = withTurnEvent(here, { type: 'start', question: null, answer: { ...answer, content: '그래' } });
  expect(now.messages.map(({ content }) => content)).toEqual(['', '그래']);
});

test('answers of several models grow side by side, whichever comes first', () => {
  const question = message('q', 'user');
  const of = (id: string, more: Partial<ConversationMessage> = {}) =>
    message(id, 'assistant', { state: 'running', compared: true, versions: ['a', 'b', 'c'], ...more });
  let now = withTurnEvent(empty, { type: 'start', question, answer: of('a') });
  now = withTurnEvent(now, { type: 'content', id: 'a', text: '하나' });
  for (const id of ['b', 'c']) now = withTurnEvent(now, { type: 'start', question, answer: of(id) });
  now = withTurnEvent(now, { type: 'content', id: 'c', text: '셋' });
  now = withTurnEvent(now, { type: 'reasoning', id: 'b', text: '음' });
  expect(now.messages.map(({ id, content }) => [id, content])).toEqual([
    ['q', ''],
    ['a', '하나'],
  ]);
  expect(now.answers_beside.map(({ id, content, reasoning }) => [id, content, reasoning])).toEqual([
    ['b', '', '음'],
    ['c', '셋', null],
  ]);
  const [ended] = now.messages.slice(-1);
  now = withTurnEvent(now, { type: 'end', answer: of('a', { state: 'done' }), title: '' });
  expect(isRunning(now)).toBe(true);
  // What is not told of stays the same object, so that it is not drawn again.
  expect(now.messages[0]).toBe(question);
  expect(now.messages.at(-1)).not.toBe(ended);
  for (const id of ['b', 'c']) now = withTurnEvent(now, { type: 'end', answer: of(id, { state: 'done' }), title: '' });
  expect(isRunning(now)).toBe(false);
  // The next answer stands alone.
  const next = message('d', 'assistant', { state: 'running' });
  expect(withTurnEvent(now, { type: 'start', question: message('r', 'user'), answer: next }).answers_beside).toEqual(
    [],
  );
});

test('while another version is asked for, what that follows is shown', () => {
  const all = { ...empty, messages: [message('q', 'user'), message('a', 'assistant'), message('r', 'user')] };
  const shown = (question: Question) => truncatedAt(all, question).messages.map(({ id }) => id);
  expect(shown({ replaceFrom: 'a' })).toEqual(['q']);
  expect(shown({ replaceFrom: 'r', content: 'other words' })).toEqual(['q', 'a']);
  // A question that is answered anew stays itself.
  expect(shown({ replaceFrom: 'q' })).toEqual(['q']);
  expect(truncatedAt(all, { content: 'new' })).toBe(all);
});
