import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'forced-exit.ts')).href;

/** A process that has been told to end, and what it still does. */
async function endOf(timeoutMs: number, still: string) {
  const program = `
    import { scheduleForcedExit } from ${JSON.stringify(module)};
    const log = { error: (fields, words) => console.log(words) };
    scheduleForcedExit(log, 0, () => console.log('last'), ${timeoutMs});
    ${still}`;
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  const [code] = (await once(child, 'close')) as [number];
  return { code, printed: await printed };
}

test('a process that something keeps open is ended, and says what was open', async () => {
  const { code, printed } = await endOf(50, 'setInterval(() => undefined, 1_000);');
  expect(code).toBe(1);
  expect(printed).toMatch(/shutdown timed out.*\nlast\n/);
});

test('one that ends by itself is not held up, and keeps its exit code', async () => {
  expect(await endOf(600_000, 'process.exitCode = 0;')).toEqual({ code: 0, printed: '' });
});
