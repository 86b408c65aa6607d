import { expect, test, vi } from 'vitest';
import { memoizeNames } from './memoize.ts';

test('what a name comes to is worked out once, for as many names as are remembered', () => {
  const compute = vi.fn((name: string) => name.toUpperCase());
  const upper = memoizeNames(compute, 2);
  const long = 'x'.repeat(100);
  for (const name of ['a', long, 'b', 'c', 'a', long, 'b', 'c']) expect(upper(name)).toBe(name.toUpperCase());
  expect(compute.mock.calls.map(([name]) => name)).toEqual(['a', long, 'b', 'c', long, 'c']);
});
