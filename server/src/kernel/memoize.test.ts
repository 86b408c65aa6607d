import { expect, test, vi } from 'vitest';
import { memoizeLast, memoizeNames } from './memoize.ts';

test('what a name comes to is worked out once, for as many names as are remembered', () => {
  const compute = vi.fn((name: string) => name.toUpperCase());
  const upper = memoizeNames(compute, 2);
  const long = 'x'.repeat(100);
  for (const name of ['a', long, 'b', 'c', 'a', long, 'b', 'c']) expect(upper(name)).toBe(name.toUpperCase());
  expect(compute.mock.calls.map(([name]) => name)).toEqual(['a', long, 'b', 'c', long, 'c']);
});

test('what the last text came to is worked out once for as long as no other comes', () => {
  const compute = vi.fn((text: string) => (text === '' ? null : text.toUpperCase()));
  const upper = memoizeLast(compute);
  for (const text of ['', '', 'a', 'a', '', 'b', 'b'])
    expect(upper(text)).toBe(text === '' ? null : text.toUpperCase());
  expect(compute.mock.calls.map(([text]) => text)).toEqual(['', 'a', '', 'b']);
});
