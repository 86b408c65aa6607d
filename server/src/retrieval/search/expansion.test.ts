import { expect, test } from 'vitest';
import { meanOf } from './candidates.ts';
import { rewritesIn } from './expansion.ts';

test('lines of a model are queries, without what it puts before and around them, three at most, each once', () => {
  const said = '1. 연차 휴가 일수\n- "연차유급휴가 부여 기준"\n\n연차 며칠?\n• 연차 휴가 일수\n연가 일수\n공무원 연가';
  expect(rewritesIn(said, '연차 며칠? ')).toEqual(['연차 휴가 일수', '연차유급휴가 부여 기준', '연가 일수']);
  expect(rewritesIn(' \n', 'x')).toEqual([]);
  expect(rewritesIn('가'.repeat(9_000), 'x')[0]).toHaveLength(500);
});

test('the mean of vectors counts their directions, not their lengths', () => {
  const mean = meanOf([Float32Array.of(10, 0), Float32Array.of(0, 0.1)]);
  expect(mean[0]).toBeCloseTo(0.5);
  expect(mean[1]).toBeCloseTo(0.5);
  expect([...meanOf([Float32Array.of(0, 0)])]).toEqual([0, 0]);
});
