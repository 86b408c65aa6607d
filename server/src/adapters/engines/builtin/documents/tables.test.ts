import { expect, test } from 'vitest';
import { answerTo } from '../../../../../test/support/ask-builtin-engine.ts';
import { tablesAsRows } from './tables.ts';

const strokes = (text: string) => text.split('|').length;

test('spans of a table that is made to grow add no more cells than a document has', () => {
  const cells = '<td colspan="100" rowspan="100">a'.repeat(500);
  const rows = tablesAsRows(`<table><tr>${cells}${'<tr><td>b<td>c'.repeat(100)}</table>`);
  expect(rows).toContain('a');
  expect(strokes(rows)).toBeLessThan(150_000);
});

test('a table may have more rows, and a cell more paragraphs, than a call takes arguments', () => {
  const head = '<thead><tr><th>A<th>B</thead>';
  const rows = tablesAsRows(`<table>${head}${'<tr><td>a<td>b'.repeat(150_000)}</table>`);
  expect(rows.split('\n').filter((line) => line === '| a | b |')).toHaveLength(150_000);
  const paragraphs = tablesAsRows(`<table><tr><td>${'<p>a'.repeat(200_000)}</table>`);
  expect(paragraphs.split('\n').filter((line) => line === 'a')).toHaveLength(200_000);
});

test('letters that are longer when they are small do not move where a table begins', () => {
  const text = `${'İ'.repeat(20)}\n<TABLE><tr><td>a<td>b</TABLE>\nbehind`;
  expect(tablesAsRows(text)).toBe(`${'İ'.repeat(20)}\n\n| a | b |\n\nbehind`);
});

test('tables stay apart, and one without an end goes on to the end', () => {
  expect(tablesAsRows('x<table><tr><td>a<td>b</table>y<table><tr><td>c<td>d')).toBe('x\n| a | b |\ny\n| c | d |\n');
  expect(tablesAsRows('</table> and <tables>')).toBe('</table> and <tables>');
});

test('blocks of documents are found behind letters that are longer when they are small, and one behind the other', async () => {
  const blocks = `<context>\n${'İ'.repeat(60)} city.\n</context><notes>\nThe office opens at nine.\n</notes>`;
  expect(await answerTo(`${blocks}\nWhen does the office open?`)).toContain('opens at nine');
});
