import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endlessFile, killReaders, readersOf } from '../../test/processes.ts';
import { failures } from '../../test/quiet.ts';
import { standardLimits } from '../reader.ts';
import { type ParsePool, type PoolOptions, createParsePool } from './pool.ts';

// Processes that are killed, or stand still, while they read.

let folder: string;
let pool: ParsePool;
let ended: object[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-ended-'));
  ended = [];
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (tenant = 'a') => {
  const path = join(folder, tenant);
  writeFileSync(path, '글');
  return readFrom(path, tenant);
};
const readFrom = (path: string, tenant = 'a') =>
  pool.parse(
    tenant,
    { path, name: 'a.txt', pages: null, limits: standardLimits },
    { timeoutMs: 90_000, signal: new AbortController().signal, onPage: () => undefined },
  );

/** A pool all of whose processes are there and stand still. Resolves with their ids. */
async function still(options: Pick<PoolOptions, 'size'> & Partial<PoolOptions>): Promise<readonly number[]> {
  pool = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 400 * 1024 * 1024,
    maxQueue: 10,
    failures,
    retryDelayMs: 0,
    preemptAfterMs: 600_000,
    log: { warn: (fields) => void ended.push(fields) },
    ...options,
  });
  await Promise.all(Array.from({ length: options.size }, (_, at) => read(`${at}`)));
  const pids = readersOf(folder);
  expect(pids).toHaveLength(options.size);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return pids;
}

const kill = (pid: number | undefined) => process.kill(pid ?? Number.NaN, 'SIGKILL');

test('a process without a document for a while ends, and another one reads the next', async () => {
  pool = createParsePool({
    folder,
    heapMb: 128,
    memoryBytes: 400 * 1024 * 1024,
    maxQueue: 10,
    size: 1,
    failures,
    idleMs: 1,
    log: { warn: (fields) => void ended.push(fields) },
  });
  await read();
  await expect.poll(() => readersOf(folder)).toEqual([]);
  await read();
  expect(ended).toEqual([]);
});

test('a process that reads goes after the service on a full machine', async () => {
  const [pid = 0] = await still({ size: 1 });
  expect(getPriority(pid)).toBe(Math.max(5, getPriority()));
});

test('a document whose process is killed is read again', async () => {
  const [pid] = await still({ size: 1 });
  const reading = read();
  await delay(20);
  kill(pid);
  await expect(reading).resolves.toMatchObject({ format: 'text' });
  expect(ended).toMatchObject([{ exitCode: null, signalCode: 'SIGKILL' }]);
});

test('a document whose process is killed three times is refused for that, and the next one is read', async () => {
  await still({ size: 1 });
  const refused = expect(readFrom(endlessFile(folder))).rejects.toMatchObject({
    name: 'ParseError',
    code: 'PROCESS_ENDED',
  });
  await delay(20);
  // All of them: one that was killed is still there for a moment, and must not count twice.
  await killReaders(folder, 3);
  await refused;
  expect(ended).toHaveLength(3);
  await expect(read()).resolves.toMatchObject({ format: 'text' });
});

test('a document is read again when nothing runs beside it, and nothing is begun until it is done', async () => {
  const [first, second] = await still({ size: 2 });
  const order: string[] = [];
  const ask = (tenant: string) => read(tenant).then(() => order.push(tenant));
  const beside = [ask('a'), ask('b')];
  await delay(20);
  kill(first);
  await expect.poll(() => ended).toHaveLength(1);
  await delay(50);
  const later = ask('c');
  await delay(300);
  expect(readersOf(folder)).toEqual([second]);
  process.kill(second ?? Number.NaN, 'SIGCONT');
  await Promise.all([...beside, later]);
  expect(order).toHaveLength(3);
  expect(order.at(-1)).toBe('c');
});

test('a tenant that has all processes gives one up for another that waits, and its documents are read all the same', async () => {
  const pids = await still({ size: 2, preemptAfterMs: 50 });
  const held = Promise.all([read(), read()]);
  await expect(read('b')).resolves.toMatchObject({ format: 'text' });
  const left = readersOf(folder).filter((pid) => pids.includes(pid));
  expect(left).toHaveLength(1);
  for (const pid of left) process.kill(pid, 'SIGCONT');
  await expect(held).resolves.toHaveLength(2);
  expect(ended).toEqual([]);
});

test('what a pool reads at its end may be read later', async () => {
  await still({ size: 1 });
  const refused = expect(read()).rejects.toMatchObject({ code: 'unavailable' });
  await delay(20);
  await pool.close();
  await refused;
});
