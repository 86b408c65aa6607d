import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { expect, test } from 'vitest';
import { annotationsOf } from './annotations.ts';

const citation = (number: number, page: number | null = null): Citation => ({
  number,
  collection_id: 'c'.repeat(32),
  document_id: 'd'.repeat(32),
  document_name: '규칙.hwp',
  chunk_id: `${number}`.repeat(32),
  page,
  title: '',
  content: '',
  score: 1,
});

test('each number of each mark is an annotation at the place of its mark', () => {
  const text = '😀 연차 [1]와 병가 [2, 1].';
  const found = annotationsOf(text, [citation(1), citation(2, 3)], 'http://studio');
  expect(found.map(({ url_citation: { start_index: from, end_index: to } }) => text.slice(from, to))).toEqual([
    '[1]',
    '[2, 1]',
    '[2, 1]',
  ]);
  expect(found.map(({ url_citation: { title } }) => title)).toEqual(['규칙.hwp', '규칙.hwp, 3', '규칙.hwp']);
  const place = `http://studio/console/collections/${'c'.repeat(32)}/documents/${'d'.repeat(32)}`;
  expect(found[1]?.url_citation.url).toBe(`${place}?page=3&chunk=${'2'.repeat(32)}`);
});

test('marks that cite nothing are text', () => {
  expect(annotationsOf('[7] [x] [1', [citation(1)], 'http://studio')).toEqual([]);
});
