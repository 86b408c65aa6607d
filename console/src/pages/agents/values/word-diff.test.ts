import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords } from './word-diff.ts';

const changed = (pieces: ReturnType<typeof diffWords>['before']) =>
  pieces.filter((piece) => piece.changed).map(({ text }) => text.trim());

test('only the words that differ are marked', () => {
  const { before, after } = diffWords('Answer briefly and\nexactly, please.', 'Answer kindly and\nexactly. Say so.');
  expect(changed(before)).toEqual(['briefly', 'exactly,', 'please.']);
  expect(changed(after)).toEqual(['kindly', 'exactly.', 'Say so.']);
});

test('a text that is the same has no mark, and one that grew only what is new', () => {
  expect(changed(diffWords('one two', 'one two').after)).toEqual([]);
  const { before, after } = diffWords('one two', 'one and a half two');
  expect(changed(before)).toEqual([]);
  expect(changed(after)).toEqual(['and a half']);
});

test('the pieces joined are the texts, and what is not marked is the same on both sides', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n'), { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { before, after } = diffWords(one, other);
      expect(before.map((piece) => piece.text).join('')).toBe(one);
      expect(after.map((piece) => piece.text).join('')).toBe(other);
      const kept = (pieces: typeof before) =>
        pieces
          .filter((piece) => !piece.changed)
          .map((piece) => piece.text)
          .join('');
      expect(kept(before)).toBe(kept(after));
    }),
  );
});

test('very long texts are compared at once', () => {
  const long = (word: string) => Array.from({ length: 5_000 }, (_, place) => `${word}${place}`).join(' ');
  const { before } = diffWords(`same ${long('a')} end`, `same ${long('b')} end`);
  expect(before.map((piece) => piece.changed)).toEqual([false, true, false]);
});
