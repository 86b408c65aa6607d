import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPublicSet } from './public-sets.ts';

const folder = mkdtempSync(join(tmpdir(), 'public-sets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(json: unknown) {
  const file = join(folder, 'set.json');
  writeFileSync(file, JSON.stringify(json));
  const { docs, queries, relevance } = readPublicSet(file);
  return { docs, queries, wanted: [...relevance].map(([query, of]) => [query, ...of.keys()]) };
}

test('questions about paragraphs of articles expect theirs, which stands there once', () => {
  const paragraph = { context: '임종석은 …', qas: [{ id: 'a', question: '누구?', answers: [] }] };
  const again = { context: '임종석은 …', qas: [{ id: 'b', question: '언제?' }] };
  const set = { version: '1', data: [{ title: '임_종석', paragraphs: [paragraph, again] }] };
  expect(read(set)).toEqual({
    docs: [{ id: 'p0', title: '임 종석', text: '임종석은 …' }],
    queries: [
      { id: 'a', text: '누구?' },
      { id: 'b', text: '언제?' },
    ],
    wanted: [
      ['a', 'p0'],
      ['b', 'p0'],
    ],
  });
});

test('questions with the passages that answer them expect these', () => {
  const set = [
    { id: 1, query: '몇 년?', positive: ['30년', '1621년'] },
    { id: 2, query: '언제?', positive: ['1621년'] },
  ];
  const { docs, wanted } = read(set);
  expect(docs.map(({ text }) => text)).toEqual(['30년', '1621년']);
  expect(wanted).toEqual([
    ['1', 'p0', 'p1'],
    ['2', 'p1'],
  ]);
  expect(() => read({ other: [] })).toThrow();
});

test('the folders of Cranfield and CISI give titles, questions by their place, and what judgements are worth', () => {
  const write = (name: string, lines: readonly string[]) => writeFileSync(join(folder, name), lines.join('\r\n'));
  write('cran.all.1400', [
    '.I 1',
    '.T',
    'wings',
    '.A',
    'smith',
    '.W',
    'lift of',
    'wings',
    '.I 2',
    '.T',
    'heat',
    '.W',
    '',
  ]);
  write('cran.qry', ['.I 001', '.W', 'what lifts ?', '.I 004', '.W', 'what heats ?']);
  write('cranqrel', ['1 1 2', '1 2 -1', '2 2 4', '']);
  const { docs, queries, relevance } = readPublicSet(folder);
  expect(docs).toEqual([
    { id: '1', title: 'wings', text: 'lift of\nwings' },
    { id: '2', title: 'heat', text: '' },
  ]);
  expect(queries).toEqual([
    { id: '1', text: 'what lifts ?' },
    { id: '2', text: 'what heats ?' },
  ]);
  expect([...relevance].map(([query, of]) => [query, ...of])).toEqual([
    ['1', ['1', 3]],
    ['2', ['2', 1]],
  ]);
});
