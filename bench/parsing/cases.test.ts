import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesOf, factsOfTruth } from './cases.ts';

let folder = '';
const write = (name: string, text: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-parsing-cases-'));
  write('hwp/a.hwp', 'a file that is none');
  write('hwpx/a.hwpx', 'another');
  write('pdf/a.pdf', '%PDF-1.7');
  write('txt/note.txt', '1. 목적');
  write('csv/sheet.csv', 'a,b\n1,2');
  write('csv/sheet.csv.gt.md', '# 표\n\n| a | b |\n| - | - |\n| 1 | 2 |');
  write('README.md', '# about this folder');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('documents of one name in folders beside each other are the truth of each other', () => {
  const truths = casesOf(folder).map(({ name, format, truth }) => [
    name,
    format,
    truth?.kind === 'twin' ? truth.format : truth?.kind,
  ]);
  expect(truths).toEqual([
    ['csv/sheet.csv', 'csv', 'markdown'],
    ['hwp/a.hwp', 'text', 'hwpx'],
    ['hwpx/a.hwpx', 'text', 'hwp'],
    ['pdf/a.pdf', 'pdf', 'hwp'],
    ['txt/note.txt', 'text', undefined],
  ]);
});

test('Markdown beside a document is its truth', async () => {
  const truth = casesOf(folder).find(({ format }) => format === 'csv')?.truth;
  if (truth?.kind !== 'markdown') throw new Error('no truth was found');
  const { headings, rows } = await factsOfTruth(truth);
  expect(headings).toEqual(['표']);
  expect(rows.map((row) => [...row.values()])).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});
