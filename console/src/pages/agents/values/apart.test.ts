import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apart } from './apart.ts';

const changed = (pieces: ReturnType<typeof apart>['before']) =>
  pieces.filter((piece) => piece.changed).map(({ text }) => text.trim());

test('only the words that differ are marked', () => {
  const { before, after } = apart('Answer briefly and\nexactly, please.', 'Answer kindly and\nexactly. Say so.');
  expect(changed(before)).toEqual(['briefly', 'exactly,', 'please.']);
  expect(changed(after)).toEqual(['kindly', 'exactly.', 'Say so.']);
});

test('a text that is the same has no mark, and one that grew only what is new', () => {
  expect(changed(apart('one two', 'one two').after)).toEqual([]);
  const { before, after } = apart('one two', 'one and a half two');
  expect(changed(before)).toEqual([]);
  expect(changed(after)).toEqual(['and a half']);
});

test('the pieces joined are the texts, and what is not marked is the same on both sides', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n'), { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { before, after } = apart(one, other);
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

test('very long texts are told apart at once', () => {
  const long = (word: string) => Array.from({ length: 5_000 }, (_, place) => `${word}${place}`).join(' ');
  const { before } = apart(`same ${long('a')} end`, `same ${long('b')} end`);
  expect(before.map((piece) => piece.changed)).toEqual([false, true, false]);
});
