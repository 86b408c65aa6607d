import { expect, test } from 'vitest';
import { contextIn, shownPart } from './contexts.ts';

test('of a long document its beginning and what stands around the passage are shown', () => {
  const short = 'x'.repeat(16_000);
  expect(shownPart(short, 9)).toBe(short);
  const long = `머리${'가'.repeat(50_000)}목표${'나'.repeat(50_000)}`;
  const shown = shownPart(long, long.indexOf('목표'));
  expect(shown.startsWith('머리')).toBe(true);
  expect(shown).toContain('가목표나');
  expect(shown).toContain('[…]');
  expect(shown.length).toBeLessThan(16_100);
  // Where the passage stands at the beginning nothing is left out between.
  expect(shownPart(long, 0)).toBe(long.slice(0, 16_000));
  expect(shownPart(long, long.length).endsWith(long.slice(-9))).toBe(true);
});

test('what a model says is one line that has room before a passage', () => {
  expect(contextIn(' 규정의\n\n휴가 장이다.\0 ')).toBe('규정의 휴가 장이다.');
  expect(contextIn('가'.repeat(999))).toHaveLength(240);
});
