import type { ChatRequest, Message } from '@ai-studio/contract/chat/request.ts';
import { expect, test } from 'vitest';
import { createChatBody } from './body.ts';

/** The messages as an engine gets them, with the edits and lines of a plan. */
function sent(messages: readonly Message[], system: readonly string[] = []): unknown {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }));
  const latin1 = bytes.toString('latin1');
  const body = createChatBody({ bytes, latin1, view: JSON.parse(latin1) as ChatRequest, edits: {}, system });
  const encoded = body.encode({});
  const text = typeof encoded === 'string' ? Buffer.from(encoded, 'latin1') : Buffer.concat(encoded);
  return (JSON.parse(text.toString()) as { messages: unknown }).messages;
}
const user: Message = { role: 'user', content: '안녕' };

test('a message of the developer goes to engines as one of the system', () => {
  expect(sent([{ role: 'developer', content: 'Be kind' }, user])).toEqual([
    { role: 'system', content: 'Be kind' },
    user,
  ]);
});

test('thinking of earlier answers goes to no engine, nor do empty lists of calls', () => {
  const answer = {
    role: 'assistant',
    content: 'Hi',
    reasoning_content: 'a',
    reasoning: 'b',
    tool_calls: [],
  } as Message;
  expect(sent([user, answer])).toEqual([user, { role: 'assistant', content: 'Hi' }]);
});

test('lines of the model go to the end of the system message, or before all others', () => {
  expect(sent([{ role: 'system', content: 'Be kind' }, user], ['/think', 'x'])).toEqual([
    { role: 'system', content: 'Be kind\n\n/think\nx' },
    user,
  ]);
  expect(sent([user], ['/think'])).toEqual([{ role: 'system', content: '/think' }, user]);
  expect(sent([user])).toEqual([user]);
});
