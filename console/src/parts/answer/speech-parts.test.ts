import fc from 'fast-check';
import { expect, test } from 'vitest';
import { speechParts } from './speech-parts.ts';

test('an answer is said sentence by sentence, without the marks of its sources', () => {
  expect(speechParts('Fifteen days [1]. Ask first [2][3]!\n\n- one\n- two')).toEqual([
    'Fifteen days . Ask first ! - one - two',
  ]);
  expect(speechParts('')).toEqual([]);
  expect(speechParts('***\n---')).toEqual([]);
});

test('its first part is short, the others are no longer than a model takes at once', () => {
  const sentence = '지방세는 시와 도가 걷는 세금입니다. ';
  const [first = '', ...rest] = speechParts(sentence.repeat(60));
  expect(first.length).toBeLessThanOrEqual(110);
  expect(rest.length).toBeGreaterThan(2);
  for (const part of rest) expect(part.length).toBeLessThanOrEqual(400);
});

test('no letter is lost, however long a sentence is', () => {
  const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('가나다', 'Word. ', 'x'.repeat(300), '\n', '! ', '”'), { maxLength: 40 }),
      (some) => {
        const text = some.join('');
        expect(letters(speechParts(text).join(' '))).toBe(letters(text));
      },
    ),
  );
});
