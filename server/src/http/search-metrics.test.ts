import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addSearchMetrics, type SearchFigures } from './search-metrics.ts';

/** The lines of the figures, without help and types. */
async function linesOf(figures: SearchFigures | null): Promise<string[]> {
  const registry = new Registry();
  addSearchMetrics(registry, () => Promise.resolve(figures));
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('a search index in OpenSearch tells how it fares', async () => {
  expect(await linesOf({ status: 'red', shards: { active: 3, missing: 1 }, rows: 70, bytes: 9_000 })).toEqual([
    'studio_search_up 1',
    'studio_search_status 2',
    'studio_search_rows 70',
    'studio_search_bytes 9000',
    'studio_search_shards{state="active"} 3',
    'studio_search_shards{state="missing"} 1',
  ]);
});

test('of one that cannot be used nothing old is told', async () => {
  expect(await linesOf(null)).toEqual(['studio_search_up 0']);
  const registry = new Registry();
  const state: { figures: SearchFigures | null } = {
    figures: { status: 'green', shards: { active: 1, missing: 0 }, rows: 5, bytes: 6 },
  };
  addSearchMetrics(registry, () => Promise.resolve(state.figures));
  expect(await registry.metrics()).toContain('studio_search_rows 5');
  state.figures = null;
  const after = await registry.metrics();
  expect(after).toContain('studio_search_up 0');
  expect(after).not.toMatch(/studio_search_(rows|bytes|status) \d|state=/);
});
