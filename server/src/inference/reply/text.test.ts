import { expect, test } from 'vitest';
import { toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent } from '../../ports/engine.ts';
import { jsonBytes, type ReplyShape } from './shape.ts';
import { createTextStreamWriter, createWholeText } from './text.ts';

const usage = { promptTokens: 3, completionTokens: 4, reasoningTokens: null, promptTokensDetails: null };
const shape: ReplyShape = {
  id: 'chatcmpl-1',
  created: 5,
  modelJson: jsonBytes('m'),
  choices: 2,
  reasoningKeys: ['reasoning'],
  reasoningNullKeys: ['reasoning'],
  toolStream: 'openai',
  includeUsage: false,
  logprobs: false,
};
const say = (choice: number, text: string, channel: 'content' | 'reasoning' = 'content'): ChatEvent => ({
  type: 'text',
  choice,
  channel,
  json: toJsonText(text),
});
const finish = (choice: number, reason: 'stop' | 'length', stop: string | null = null): ChatEvent => ({
  type: 'finish',
  choice,
  reason,
  stop,
});
const events: ChatEvent[] = [
  say(0, 'One'),
  say(1, 'hidden', 'reasoning'),
  say(1, 'Two'),
  { type: 'tool_call', choice: 0, call: 0, id: 'c', name: 'f' },
  { type: 'usage', usage },
  finish(0, 'length'),
  finish(1, 'stop', 'END'),
  { type: 'end', systemFingerprint: null },
];
const head = { id: 'cmpl-1', object: 'text_completion', created: 5, model: 'm' };
const told = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_tokens_details: null };

/** The events of a stream, but its end mark. */
function stream(echo: string | null, change: Partial<ReplyShape> = {}) {
  const { choices } = { ...shape, ...change };
  const writer = createTextStreamWriter(
    { ...shape, ...change },
    echo === null || echo === '' ? [] : Array.from({ length: choices }, () => echo),
  );
  let bytes = writer.open();
  for (const event of events) bytes += writer.event(event);
  bytes += writer.close(usage);
  const data = bytes.split('\n\n').filter((line) => line !== '');
  expect(data.pop()).toBe('data: [DONE]');
  return data.map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown);
}
const piece = (index: number, text: string, reason: string | null = null, stop: string | null = null) => ({
  ...head,
  choices: [{ index, text, logprobs: null, finish_reason: reason, stop_reason: stop }],
});
const pieces = [piece(0, 'One'), piece(1, 'Two'), piece(0, '', 'length'), piece(1, '', 'stop', 'END')];

test('a text completion streams the answers alone, each choice by its place', () => {
  expect(stream('')).toEqual(pieces);
});

test('it begins with the prompt in each choice where that is asked for, and ends with its usage', () => {
  const usageChunk = { ...head, choices: [], usage: told };
  expect(stream('Why? ', { includeUsage: true })).toEqual([
    piece(0, 'Why? '),
    piece(1, 'Why? '),
    ...pieces,
    usageChunk,
  ]);
});

test('a whole text completion has each answer behind the prompt, how it ended and what it used', () => {
  const reply = createWholeText(shape, ['Why? ', 'Why? ']);
  for (const event of [...events, say(2, 'of no choice'), finish(2, 'length')]) reply.event(event);
  expect(JSON.parse(reply.render(usage))).toEqual({
    ...head,
    choices: [
      { index: 0, text: 'Why? One', logprobs: null, finish_reason: 'length', stop_reason: null },
      { index: 1, text: 'Why? Two', logprobs: null, finish_reason: 'stop', stop_reason: 'END' },
    ],
    usage: told,
  });
  expect(JSON.parse(createWholeText({ ...shape, choices: 1 }, []).render(usage))).toMatchObject({
    choices: [{ text: '', finish_reason: 'stop', stop_reason: null }],
  });
});
