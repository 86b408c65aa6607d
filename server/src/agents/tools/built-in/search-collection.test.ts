import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import { expect, test } from 'vitest';
import { shortPassageOf } from './search-collection.ts';

const hit = (content: string, start?: number): SearchHit => ({
  chunk_id: 'c',
  document_id: 'd',
  document_name: '규정.hwp',
  collection_id: 'x',
  title: '',
  content,
  score: 1,
  scores: {},
  page: null,
  metadata: {},
  ...(start === undefined
    ? {}
    : { parent: { start_page: null, end_page: null, matches: [{ chunk_id: 'c', start, end: start + 2 }] } }),
});

test('a model is told the beginning of a passage, and of a larger one what stands around what was found', () => {
  expect(shortPassageOf(hit('가'.repeat(9_000))).content).toHaveLength(2_000);
  const larger = `${'가'.repeat(9_000)}여기${'나'.repeat(9_000)}`;
  const { content, matches } = shortPassageOf(hit(larger, 9_000));
  expect(content).toHaveLength(8_000);
  expect(content).toContain('가여기나');
  const [place] = matches ?? [];
  expect(content.slice(place?.start, place?.end)).toBe('여기');
  expect(shortPassageOf(hit(larger, 0)).content.startsWith('가')).toBe(true);
  expect(shortPassageOf(hit('짧다', 0)).content).toBe('짧다');
});
