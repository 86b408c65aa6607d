import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LetterCount } from './lost-letters.ts';

const units = fc.oneof(
  fc.constantFrom(
    '가',
    '힣',
    'z',
    'A',
    '7',
    '_',
    '@',
    '{',
    ' ',
    '\t',
    '\n',
    '\u{b}',
    '\u{a0}',
    '\u{3000}',
    '·',
    '漢',
    '𝒜',
  ),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);
const texts = fc.array(units, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

test.each([
  ['blanks', /\s/gu],
  ['all but letters', /\P{L}/gu],
] as const)('what is the same without %s is nothing lost, and not a letter less', (without, pattern) => {
  fc.assert(
    fc.property(texts, (text) => {
      const [whole, rest] = [text.repeat(100), text.replaceAll(pattern, '').repeat(100)];
      for (const [held, seen] of [
        [whole, rest],
        [rest, whole],
      ] as const) {
        const count = new LetterCount(without);
        count.held(held);
        count.seen(seen);
        expect(count.warnings()).toEqual([]);
      }
    }),
  );
});

test('the share of what was not read is told', () => {
  const count = new LetterCount();
  count.held(`가나다라 ${'마'.repeat(96)}`);
  count.seen('가나다라');
  expect(count.warnings()).toMatchObject([
    { code: 'text_not_read', message: expect.stringContaining('96 %') as string },
  ]);
});
