import { expect, test } from 'vitest';
import { passageParts } from './html-tables.ts';

const kinds = (text: string) => passageParts(text).map(({ kind, text: part }) => [kind, part]);

test('tables in HTML are told from the text around them, with tables in their cells', () => {
  const inner = '<table><tbody><tr><td><p>a</p><table><tr><td>b</td></tr></table></td></tr></tbody></table>';
  expect(kinds(`앞 글.\n${inner}\n\n뒤 글.`)).toEqual([
    ['markdown', '앞 글.\n'],
    ['table', inner],
    ['markdown', '\n\n뒤 글.'],
  ]);
  expect(kinds(`${inner}\n${inner}`).map(([kind]) => kind)).toEqual(['table', 'table']);
});

test('a passage that was cut within a table has its rows as a table', () => {
  expect(kinds('앞\n<table><tbody><tr><td>cut')).toEqual([
    ['markdown', '앞\n'],
    ['table', '<table><tbody><tr><td>cut'],
  ]);
  expect(kinds('rest of a cell</td><td>b</td></tr></tbody></table>\n\n뒤')).toEqual([
    ['table', 'rest of a cell</td><td>b</td></tr></tbody></table>'],
    ['markdown', '\n\n뒤'],
  ]);
});

test('parts say where they begin, and a table beside code is still one', () => {
  const text = '```\n<table></table>\n```\n\n<table><tr><td>a</td></tr></table>';
  const parts = passageParts(text);
  expect(parts.map(({ kind }) => kind)).toEqual(['markdown', 'table']);
  for (const { text: own, start } of parts) expect(text.slice(start, start + own.length)).toBe(own);
});

test.each(['', '글', 'in a line <table></table>', '<table of contents', '</table> 끝', '```\n<table></table>\n```'])(
  '%j has none',
  (text) => {
    expect(passageParts(text).every(({ kind }) => kind === 'markdown')).toBe(true);
  },
);

test('tags without an end are passed over, however many there are', () => {
  const text = '<table '.repeat(100_000);
  expect(passageParts(text)).toEqual([{ kind: 'markdown', text, start: 0 }]);
});
