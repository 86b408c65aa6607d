import { expect, test } from 'vitest';
import { toJsonText } from '../../kernel/json-text.ts';
import { UsageCounter } from './usage-counter.ts';

const say = (text: string) => ({ type: 'text', choice: 0, channel: 'content', json: toJsonText(text) }) as const;
const ours = (completionTokens: number) => ({
  promptTokens: 9,
  completionTokens,
  reasoningTokens: null,
  promptTokensDetails: null,
});

test('without a word of the engine each piece is a token, of text and of arguments', () => {
  const tally = new UsageCounter(9);
  expect(tally.usage()).toEqual(ours(0));
  tally.count(say('a'.repeat(31)));
  tally.count({ type: 'tool_call', choice: 0, call: 0, id: 'c', name: 'f' });
  tally.count({ type: 'tool_arguments', choice: 0, call: 0, json: toJsonText('b') });
  tally.count({ type: 'finish', choice: 0, reason: 'stop', stop: null });
  // 32 bytes in two pieces may be two tokens.
  expect(tally.usage()).toEqual(ours(2));
});

test('pieces that are longer than tokens are counted by their bytes', () => {
  const tally = new UsageCounter(9);
  tally.count(say('a'.repeat(17)));
  expect(tally.usage()).toEqual(ours(5));
});

test('the count of the engine stands, whatever came', () => {
  const tally = new UsageCounter(9);
  tally.count(say('a'));
  const usage = { promptTokens: 1, completionTokens: 2, reasoningTokens: 1, promptTokensDetails: null };
  tally.count({ type: 'usage', usage });
  tally.count(say('b'));
  expect(tally.usage()).toBe(usage);
});
