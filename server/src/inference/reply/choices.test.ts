import { expect, test } from 'vitest';
import { toJsonText } from '../../kernel/json-text.ts';
import { jsonBytes, type ReplyShape } from './shape.ts';
import { WholeReply } from './whole.ts';

const usage = { promptTokens: 3, completionTokens: 4, reasoningTokens: null, promptTokensDetails: null };
const shape: ReplyShape = {
  id: 'chatcmpl-1',
  created: 1,
  modelJson: jsonBytes('m'),
  choices: 2,
  reasoningKeys: ['reasoning'],
  reasoningNullKeys: ['reasoning'],
  toolStream: 'openai',
  includeUsage: false,
  logprobs: false,
};

/** A whole reply in which each choice says a word, or nothing. */
function replyOf(change: Partial<ReplyShape>, words: readonly string[]) {
  const reply = new WholeReply({ ...shape, ...change });
  for (const [choice, word] of words.entries()) {
    if (word !== '') reply.event({ type: 'text', choice, channel: 'content', json: toJsonText(word) });
    reply.event({ type: 'finish', choice, reason: 'stop', stop: null });
  }
  return JSON.parse(reply.render(usage)) as {
    choices: { index: number; message: { content: string }; logprobs: unknown }[];
  };
}

test('a whole reply of several choices has each in its place', () => {
  expect(replyOf({}, ['one', 'two']).choices.map(({ index, message }) => [index, message.content])).toEqual([
    [0, 'one'],
    [1, 'two'],
  ]);
});

test('a whole reply has its calls, thinking, log-probabilities and ends, from whatever pieces they came in', () => {
  const reply = new WholeReply({ ...shape, choices: 1, reasoningNullKeys: ['reasoning', 'reasoning_content'] });
  const text = (channel: 'content' | 'reasoning', json: string, logprobs?: Record<string, unknown>) =>
    reply.event({ type: 'text', choice: 0, channel, json: toJsonText(json), ...(logprobs ? { logprobs } : {}) });
  text('reasoning', 'so ');
  text('reasoning', 'be it');
  text('content', 'a', { content: [1] });
  text('content', 'b', { content: [2] });
  for (const [call, pieces] of [['{"a"', ':1}'], []].entries()) {
    reply.event({ type: 'tool_call', choice: 0, call, id: `c${call}`, name: 'now' });
    for (const piece of pieces) reply.event({ type: 'tool_arguments', choice: 0, call, json: toJsonText(piece) });
  }
  // What nobody asked for is left out.
  reply.event({ type: 'text', choice: 1, channel: 'content', json: toJsonText('x') });
  reply.event({ type: 'tool_arguments', choice: 0, call: 7, json: toJsonText('x') });
  reply.event({ type: 'finish', choice: 0, reason: 'length', stop: 'end' });
  reply.event({ type: 'end', systemFingerprint: 'fp', promptLogprobs: [3] });
  const call = (id: string, json: string) => ({ id, type: 'function', function: { name: 'now', arguments: json } });
  expect(JSON.parse(reply.render(usage))).toMatchObject({
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'ab',
          reasoning: 'so be it',
          reasoning_content: null,
          tool_calls: [call('c0', '{"a":1}'), call('c1', '{}')],
        },
        logprobs: { content: [1, 2] },
        finish_reason: 'length',
        stop_reason: 'end',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    prompt_logprobs: [3],
    system_fingerprint: 'fp',
  });
});

test('an answer of no tokens has an empty list of log-probabilities where they were asked for, another has none to be had', () => {
  const logprobs = (asked: boolean, word: string) =>
    replyOf({ choices: 1, logprobs: asked }, [word]).choices[0]?.logprobs;
  expect(logprobs(true, '')).toEqual({ content: [] });
  expect(logprobs(true, 'one')).toBeNull();
  expect(logprobs(false, '')).toBeNull();
});
