import { expect, it } from 'vitest';
import { readRerank } from './rerank.ts';

const scoresOf = (model: string, scores: readonly number[], logitModels: Set<string>) =>
  readRerank(
    { results: scores.map((relevance_score, index) => ({ index, relevance_score })) },
    {
      requestId: 'r',
      model,
      query: 'q',
      documents: scores.map(String),
      signal: new AbortController().signal,
    },
    'e',
    logitModels,
  ).scores;

it('a model that gave logits gives logits, also where those lie between 0 and 1', () => {
  const logitModels = new Set<string>();
  expect(scoresOf('a', [0.9, 0.2], logitModels)).toEqual([0.9, 0.2]);
  expect(scoresOf('a', [3.5, -1], logitModels).map((score) => score.toFixed(3))).toEqual(['0.971', '0.269']);
  // llama-server, which has no other form: the same number means the same in each reply.
  expect(scoresOf('a', [0.9, 0.2], logitModels).map((score) => score.toFixed(3))).toEqual(['0.711', '0.550']);
  expect(scoresOf('b', [0.9, 0.2], logitModels)).toEqual([0.9, 0.2]);
});

it('tokens that the server does not count are estimated, the query once with each document', () => {
  const call = {
    requestId: 'r',
    model: 'm',
    query: '연차 며칠',
    documents: ['abcd', '가나다라'],
    signal: new AbortController().signal,
  };
  const items = [0.9, 0.2].map((score, index) => ({ index, score }));
  const tokensOf = (value: unknown) => readRerank(value, call, 'e', new Set()).promptTokens;
  // 13 bytes twice, 4 and 12.
  expect(tokensOf(items)).toBe(11);
  expect(tokensOf({ results: items })).toBe(11);
  expect(tokensOf({ results: items, usage: { total_tokens: 9 } })).toBe(9);
  expect(tokensOf({ results: items, meta: { billed_units: { input_tokens: 3 } } })).toBe(3);
});
