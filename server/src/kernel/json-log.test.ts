import { mkdtempSync, openSync, readFileSync, rmSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLineSink, createLog } from './json-log.ts';

/** The lines that `work` logs, parsed. */
function linesOf(
  level: 'debug' | 'info',
  work: (log: ReturnType<typeof createLog>) => void,
): Record<string, unknown>[] {
  let text = '';
  work(createLog({ sink: { write: (line) => (text += line), flushSync: () => undefined }, level, format: 'json' }));
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a line holds level, time, message, fields and those of its parents', () => {
  const [line] = linesOf('info', (log) =>
    log
      .child({ a: 1 })
      .child({ b: 'x"\n' })
      .warn({ c: [null] }, '안녕'),
  );
  expect(line).toMatchObject({ level: 'warn', msg: '안녕', a: 1, b: 'x"\n', c: [null] });
  expect(new Date(String(line?.['time'])).toISOString()).toBe(line?.['time']);
});

test('lines below the level are left out', () => {
  expect(linesOf('info', (log) => log.debug({}, 'no'))).toEqual([]);
  expect(linesOf('debug', (log) => log.debug({}, 'yes'))).toHaveLength(1);
});

test('an error is told with its cause, and what cannot be shown breaks nothing', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const [line] = linesOf('info', (log) =>
    log.error({ err: new Error('a', { cause: new TypeError('b') }), circle, big: 1n }, 'x'),
  );
  expect(line).toMatchObject({ err: { message: 'a', cause: { type: 'TypeError', message: 'b' } }, big: '1' });
});

test('fields that are named like secrets are hidden', () => {
  const [line] = linesOf('info', (log) => log.info({ authorization: 'Bearer x', api_key: 'x', password: 'x' }, 'm'));
  expect(JSON.stringify(line)).not.toMatch(/"x"|Bearer/);
});

test('lines reach the file in order, gathered, and the rest at the last moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ai-studio-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  const sink = createLineSink(fd);
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i} 한글\n`);
  for (const line of lines.slice(0, 4000)) sink.write(line);
  await expect.poll(() => readFileSync(file, 'utf8').split('\n').length).toBe(4001);
  for (const line of lines.slice(4000)) sink.write(line);
  sink.flushSync();
  await sleep(0);
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
  closeSync(fd);
  rmSync(folder, { recursive: true });
});
