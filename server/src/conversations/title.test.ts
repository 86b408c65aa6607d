import { expect, test } from 'vitest';
import { titleOf } from './title.ts';

const words = (count: number) => 'abcd '.repeat(count).trim();

test('a question of sixty characters is its own title, with single spaces', () => {
  expect(titleOf('  Why \n is\tthat? ')).toBe('Why is that?');
  expect(titleOf('가'.repeat(60))).toBe('가'.repeat(60));
  expect(titleOf('')).toBe('');
});

test('a longer one is cut, with its mark, to sixty at most', () => {
  expect(titleOf('가'.repeat(61))).toBe(`${'가'.repeat(59)}…`);
  expect(titleOf('👩‍👩‍👧'.repeat(61))).toBe(`${'👩‍👩‍👧'.repeat(59)}…`);
});

test('it is cut at a word where that leaves more than half', () => {
  expect(titleOf(words(20))).toBe(`${words(12)}…`);
  // A word that ends where the title does stays whole.
  expect(titleOf(`${'a'.repeat(59)} b`)).toBe(`${'a'.repeat(59)}…`);
  expect(titleOf(`${'a'.repeat(40)} ${'b'.repeat(18)} c`)).toBe(`${'a'.repeat(40)} ${'b'.repeat(18)}…`);
  expect(titleOf(`${'a'.repeat(30)} ${'b'.repeat(60)}`)).toBe(`${'a'.repeat(30)}…`);
  expect(titleOf(`${'a'.repeat(29)} ${'b'.repeat(60)}`)).toBe(`${'a'.repeat(29)} ${'b'.repeat(29)}…`);
  expect(titleOf(`${'a'.repeat(58)} ${'b'.repeat(60)}`)).toBe(`${'a'.repeat(58)}…`);
});

test('only the beginning of a question is looked at', () => {
  expect(titleOf(`${' '.repeat(1_999)}ab`)).toBe('a');
});
