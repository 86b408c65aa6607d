import { expect, test } from 'vitest';
import { countTurns } from '../../../test/support/turns.ts';
import type { Queryable } from '../../ports/database.ts';
import { hitsOf, type Ranked } from './hits.ts';

// None of the hits has a larger passage.
const noDatabase = {} as Queryable;
const content = '휴가는 며칠인가 '.repeat(300);
const ranked = Array.from(
  { length: 100 },
  (_, at) =>
    ({
      passage: { id: `p${at}`, title: '휴가', content, metadata: {}, name: 'a.md' },
      candidate: { keyword: 1 },
      score: 1 - at / 100,
      rerank: undefined,
      duplicates: [],
    }) as unknown as Ranked,
);

test('words are marked in turns: other requests run between hits', async () => {
  const plan = { query: '휴가', highlight: true, sayings: [] };
  const { result, count } = await countTurns(() => hitsOf(noDatabase, ranked, plan));
  expect(result.map(({ chunk_id: id }) => id)).toEqual(ranked.map(({ passage }) => passage.id));
  expect(result[99]?.highlights).toHaveLength(301);
  expect(count).toBeGreaterThanOrEqual(Math.floor((content.length * 100) / 20_000));
});

test('hits without marks take one turn', async () => {
  const { result, count } = await countTurns(() =>
    hitsOf(noDatabase, ranked, { query: '휴가', highlight: false, sayings: [] }),
  );
  expect(result[0]).not.toHaveProperty('highlights');
  expect(count).toBeLessThan(3);
});
