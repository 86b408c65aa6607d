import { expect, test } from 'vitest';
import { hasSeenQuestion, parseStreamPosition } from './stream-position.ts';

test('a place is the number of an event, or of a question before one', () => {
  expect(['0', '12', ' 7 ', 'q7', 'q0'].map(parseStreamPosition)).toEqual([0, 12, 7, 6.5, 0]);
  expect(['', '-1', '1.5', 'x', 'q', 'qq1', '7q', '99999999999'].map(parseStreamPosition)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
  expect([5, 6, 6.5, 7].map((place) => hasSeenQuestion(place, 7))).toEqual([false, false, true, true]);
});
