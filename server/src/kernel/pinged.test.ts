import { expect, test } from 'vitest';
import { pinged } from './pinged.ts';

test('silence is filled, and nothing is lost', async () => {
  const wait = Promise.withResolvers<void>();
  let closed = false;
  async function* lines(): AsyncGenerator<string, void> {
    try {
      yield 'a';
      await wait.promise;
      yield 'b';
    } finally {
      closed = true;
    }
  }
  const seen: string[] = [];
  for await (const line of pinged(lines(), 5)) {
    seen.push(line);
    if (seen.length === 4) wait.resolve();
  }
  expect(seen.filter((line) => !line.startsWith(':'))).toEqual(['a', 'b']);
  expect(seen.filter((line) => line === ': ping\n\n').length).toBeGreaterThan(2);
  expect(closed).toBe(true);
});

test('who breaks off ends the generator', async () => {
  let closed = false;
  async function* lines(): AsyncGenerator<string, void> {
    try {
      for (;;) yield 'a';
    } finally {
      closed = true;
    }
  }
  for await (const _line of pinged(lines())) break;
  expect(closed).toBe(true);
});
