import { expect, test } from 'vitest';
import { SourceBook } from './sources.ts';

const file = (key: string) => ({ type: 'file', key, file_id: `d-${key}`, filename: `${key}.md` }) as const;

test('what is found again keeps its number, also in another process', () => {
  const book = new SourceBook();
  expect([file('a'), file('b'), file('a')].map((one) => book.number(one))).toEqual([1, 2, 1]);
  const later = new SourceBook(book.all);
  expect([file('b'), file('c')].map((one) => later.number(one))).toEqual([2, 3]);
});

test('marks in a text are sources at their places; numbers of nothing are none', () => {
  const book = new SourceBook();
  book.number(file('a'));
  book.number({ type: 'url', key: 'u', url: 'https://u.example', title: 'U' });
  expect(book.annotationsOf('가 [1], x [2, 1] y[3] [x] [1')).toEqual([
    { type: 'file_citation', file_id: 'd-a', filename: 'a.md', index: 2 },
    { type: 'url_citation', url: 'https://u.example', title: 'U', start_index: 9, end_index: 15 },
    { type: 'file_citation', file_id: 'd-a', filename: 'a.md', index: 9 },
  ]);
});
