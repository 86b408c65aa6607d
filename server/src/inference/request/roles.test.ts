import type { ChatRequest, Message } from '@ai-studio/contract/chat/request.ts';
import { expect, test } from 'vitest';
import { bytesOfBody } from '../../../test/support/encoded-body.ts';
import { createChatBody } from './body.ts';

/** The messages as an engine gets them, with the edits and lines of a plan. */
function sent(messages: readonly Message[], system: readonly string[] = []): unknown {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }));
  const latin1 = bytes.toString('latin1');
  const body = createChatBody({ bytes, latin1, view: JSON.parse(latin1) as ChatRequest, edits: {}, system });
  const encoded = body.encode({});
  const text = bytesOfBody(encoded);
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

test('calls whose arguments are no JSON object go to engines without them: servers read these, and refuse the whole request', () => {
  const call = (id: string, args: string) => ({
    id,
    type: 'function' as const,
    function: { name: 'find', arguments: args },
  });
  const turn = (...texts: string[]): Message => ({
    role: 'assistant',
    content: null,
    tool_calls: texts.map((args, i) => call(`c${i}`, args)),
  });
  const sound = turn('{"말": "그래\\n"}', ' {} ');
  expect(sent([user, sound])).toEqual([user, sound]);
  const broken = ['{"a": "서', '', 'null', '[1]', '"{}"', '7', '{"a":1}}', '{a:1}'];
  expect(sent([user, turn('{"a":1}', ...broken)])).toEqual([user, turn('{"a":1}', ...broken.map(() => '{}'))]);
});

test('lines of the model go to the end of the system message, or before all others', () => {
  expect(sent([{ role: 'system', content: 'Be kind' }, user], ['/think', 'x'])).toEqual([
    { role: 'system', content: 'Be kind\n\n/think\nx' },
    user,
  ]);
  expect(sent([user], ['/think'])).toEqual([{ role: 'system', content: '/think' }, user]);
  expect(sent([user])).toEqual([user]);
});
