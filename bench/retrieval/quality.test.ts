import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readCollection } from './collection.ts';
import { measureQuality, type Quality } from './quality.ts';

// What the analyzer, the lexical embedder and fusion are worth, so that a change that makes searches worse is seen.

let found: ReadonlyMap<string, Quality>;
beforeAll(async () => {
  const measured = await measureQuality(readCollection(join(import.meta.dirname, 'korean')));
  found = new Map(measured.map((one) => [one.mode, one]));
});
const worth = (mode: string): number => found.get(mode)?.ndcg ?? 0;

test('Korean questions find their passages by words, where plain words find half', () => {
  expect(worth('keyword')).toBeGreaterThan(0.96);
  expect(found.get('keyword')?.recall).toBeGreaterThan(0.98);
  expect(worth('plain words')).toBeLessThan(0.63);
});

test('both legs joined are hardly worse than the better one', () => {
  const better = Math.max(worth('keyword'), worth('vector (lexical)'));
  expect(better).toBeGreaterThan(0.96);
  expect(worth('hybrid (alpha 0.3)')).toBeGreaterThan(better - 0.005);
});

test('what is said otherwise than in its passage is found first by most questions, which words as they stand find by none', async () => {
  const pairs = await measureQuality(readCollection(join(import.meta.dirname, 'pairs')));
  const first = (mode: string) => Math.round(40 * (pairs.find((one) => one.mode === mode)?.first ?? 0));
  expect(first('keyword')).toBeGreaterThanOrEqual(34);
  expect(first('keyword, as it is said alone')).toBeLessThan(10);
});
