import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });

test('a constant number says what it bounds or is, in two words or more', () => {
  expect(sources.length).toBeGreaterThan(150);
  const numbers = sources.flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
        /^(?:export )?const ([A-Z][A-Z\d_]*) = -?[\d.(]/gm,
      ),
    ].map(([, name = '']) => ({ file, name })),
  );
  expect(numbers.length).toBeGreaterThan(150);
  const short = numbers.filter(({ name }) => !name.includes('_'));
  expect(short).toEqual([]);
});
