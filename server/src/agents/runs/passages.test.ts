import { expect, test } from 'vitest';
import type { Passage } from '../../retrieval/index.ts';
import { openPassages } from './passages.ts';

const passage = (id: string, more: Partial<Passage> = {}): Passage => ({
  collection_id: 'x',
  document_id: 'd',
  document_name: '규정.hwp',
  chunk_id: id,
  page: null,
  title: '',
  content: id,
  score: 1,
  ...more,
});

test('passages keep their numbers through a run, and an answer cites those that it names', () => {
  const book = openPassages([]);
  const [first, second] = book.number([passage('a'), passage('b')]);
  expect([first?.number, second?.number]).toEqual([1, 2]);
  expect(book.number([passage('b'), passage('c')]).map(({ number }) => number)).toEqual([2, 3]);
  expect(book.citedIn('as [3] and [1, 7] say').map(({ content }) => content)).toEqual(['a', 'c']);
});

test('a citation of a larger passage shows what was found in it', () => {
  const content = `${'가'.repeat(5_000)}여기다${'나'.repeat(5_000)}`;
  const book = openPassages([]);
  book.number([passage('a', { content, matches: [{ start: 5_000, end: 5_003 }] }), passage('b', { content })]);
  const [found, whole] = book.citedIn('[1][2]');
  expect(found?.content).toHaveLength(2_000);
  const [place] = found?.matches ?? [];
  expect(found?.content.slice(place?.start, place?.end)).toBe('여기다');
  expect(whole?.content).toBe('가'.repeat(2_000));
});
