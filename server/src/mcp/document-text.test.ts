import { describe, expect, test } from 'vitest';
import { overlapOf, parseTextId, textId, withHeading } from './document-text.ts';

describe('the repetition between chunks', () => {
  test.each([
    ['one two three', 'two three four', 9],
    ['one', 'two', 0],
    ['aaa', 'aaaa', 3],
    ['abab', 'ababab', 4],
    ['xabcab', 'abcabx', 5],
    ['same', 'same', 4],
    ['', 'x', 0],
    ['x', '', 0],
    ['가나다', '다라', 1],
  ])('of %j and %j is %i long', (before, after, length) => {
    expect(overlapOf(before, after)).toBe(length);
    expect(before.endsWith(after.slice(0, length))).toBe(true);
  });

  test('is the longest there is, whatever the texts', () => {
    const letters = 'ab';
    for (let seed = 1; seed < 3_000; seed++) {
      const text = (from: number) =>
        Array.from({ length: (seed * from) % 13 }, (_, at) => letters[(seed >> (at % 11)) % 2]).join('');
      const [before, after] = [text(7), text(5)];
      const longest = Array.from({ length: after.length + 1 }, (_, at) => at).findLast((length) =>
        before.endsWith(after.slice(0, length)),
      );
      expect(overlapOf(before, after), `${before} ${after}`).toBe(longest);
    }
  });
});

test('a heading is told unless the passage begins with it', () => {
  expect(withHeading('Leave', 'Everybody has 25 days.')).toBe('Leave\nEverybody has 25 days.');
  expect(withHeading('Leave', '# Leave\n\n25 days.')).toBe('# Leave\n\n25 days.');
  expect(withHeading('Rules / Leave', '## Leave\n25 days.')).toBe('## Leave\n25 days.');
  expect(withHeading('', '25 days.')).toBe('25 days.');
  expect(withHeading('Leave', '\n25 days.')).toBe('Leave\n\n25 days.');
});

test('parts have ids of their own', () => {
  const documentId = '0123456789abcdef'.repeat(2);
  expect(parseTextId(documentId)).toEqual({ documentId, from: 1 });
  expect(parseTextId(`${documentId}@12`)).toEqual({ documentId, from: 12 });
  expect([1, 12].map((from) => textId({ documentId, from }))).toEqual([documentId, `${documentId}@12`]);
  for (const other of ['', 'x', `${documentId}@0`, `${documentId}@-1`, `${documentId}@1e3`, `${documentId}@`])
    expect(parseTextId(other)).toEqual({ documentId: other, from: 1 });
});
