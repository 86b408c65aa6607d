import { expect, test } from 'vitest';
import { toJsonText } from '../kernel/json-text.ts';
import { createReplyBatcher, type ReplyParts } from './reply-batcher.ts';

function setting() {
  const parts: ReplyParts[] = [];
  const reader = createReplyBatcher((piece) => parts.push(piece));
  const say = (text: string, channel: 'content' | 'reasoning' = 'content') =>
    reader.events({ type: 'text', choice: 0, channel, json: toJsonText(text) });
  return { parts, reader, say };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what comes in one tick is handed on as one piece, decoded', async () => {
  const { parts, say } = setting();
  say('"가"\n');
  say('생각', 'reasoning');
  say('나');
  expect(parts).toEqual([]);
  await turn();
  expect(parts).toEqual([{ content: '"가"\n나', reasoning: '생각' }]);
  say('', 'reasoning');
  await turn();
  say('더', 'reasoning');
  await turn();
  expect(parts.slice(1)).toEqual([{ content: '', reasoning: '더' }]);
  say('끝');
  await turn();
  expect(parts.slice(2)).toEqual([{ content: '끝', reasoning: '' }]);
});

test('what has come is handed over at once when asked for, and only once', async () => {
  const { parts, reader, say } = setting();
  say('a');
  reader.flush();
  expect(parts).toEqual([{ content: 'a', reasoning: '' }]);
  reader.flush();
  await turn();
  expect(parts).toHaveLength(1);
  say('b');
  await turn();
  expect(parts).toHaveLength(2);
});

test('events that are no text say nothing', async () => {
  const { parts, reader } = setting();
  reader.events({ type: 'finish', choice: 0, reason: 'stop', stop: null });
  reader.events({ type: 'tool_call', choice: 0, call: 0, id: 'c', name: 'f' });
  reader.flush();
  await turn();
  expect(parts).toEqual([]);
});
