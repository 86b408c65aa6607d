import { expect, test } from 'vitest';
import { readSets } from './synonyms-field.tsx';

test('a line is a set of words; blanks, empty lines and repeated words are nothing, a single word is no set', () => {
  expect(readSets(' 공수처, 고위공직자범죄수사처 \n\nAI、인공 지능，AI')).toEqual([
    ['공수처', '고위공직자범죄수사처'],
    ['AI', '인공 지능'],
  ]);
  expect(readSets('')).toEqual([]);
  expect(readSets('공수처\nAI, 인공지능')).toBeNull();
});
