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

test('an answer of no tokens has an empty list of log-probabilities where they were asked for, another has none to be had', () => {
  const logprobs = (asked: boolean, word: string) =>
    replyOf({ choices: 1, logprobs: asked }, [word]).choices[0]?.logprobs;
  expect(logprobs(true, '')).toEqual({ content: [] });
  expect(logprobs(true, 'one')).toBeNull();
  expect(logprobs(false, '')).toBeNull();
});
