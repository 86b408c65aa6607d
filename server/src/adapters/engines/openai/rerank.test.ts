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
