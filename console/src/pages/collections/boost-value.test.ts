import { expect, test } from 'vitest';
import { valueOf } from './boost-value.ts';

test('what is typed stays as it is, also half way', () => {
  for (const text of ['', ' ', '1', '1.', '1.5', '1.50', '007', '2024 ', '-', '-3', '1e5', 'true', 'Infinity', '인사'])
    expect(String(valueOf(text))).toBe(text);
});

test('numbers and truth values are what metadata holds', () => {
  expect(['1.5', '-3', '0', 'true', 'false'].map(valueOf)).toEqual([1.5, -3, 0, true, false]);
  expect(['007', '1.50', 'Infinity', ''].map(valueOf)).toEqual(['007', '1.50', 'Infinity', '']);
});
