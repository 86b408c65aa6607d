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

test.each(['', '글', 'in a line <table></table>', '<table><tr><td>cut', '</table> 끝', '```\n<table></table>\n```'])(
  '%j has none',
  (text) => {
    expect(passageParts(text).every(({ kind }) => kind === 'markdown')).toBe(true);
  },
);

test('tags without an end are passed over, however many there are', () => {
  const text = '<table '.repeat(100_000);
  expect(passageParts(text)).toEqual([{ kind: 'markdown', text }]);
});
