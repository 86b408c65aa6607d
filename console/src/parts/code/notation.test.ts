import { expect, test } from 'vitest';
import { pythonValue } from './notation.ts';

test('values in the notation of Python', () => {
  expect(pythonValue({ a: [true, null, 1.5, '가"'], b: {}, c: [] })).toBe(
    '{\n    "a": [\n        True,\n        None,\n        1.5,\n        "가\\"",\n    ],\n    "b": {},\n    "c": [],\n}',
  );
});
