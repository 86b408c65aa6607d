import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createServerProbe } from '../adapters/engines/openai/index.ts';
import { startModelServer } from '../../test/fakes/model-server.ts';
import { createFinder } from './found.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('servers of this machine are found by their ports, but for those that are connected and what is none', async () => {
  const [one, two] = [await startModelServer({ models: ['a'] }), await startModelServer({ models: [] })];
  const mute = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => one.close(),
    () => two.close(),
    () => new Promise((resolve) => mute.close(resolve)),
  );
  const ports = [one.url, two.url].map((url) => Number(new URL(url).port));
  let now = 0;
  const find = createFinder({
    ports: [...ports, (mute.address() as AddressInfo).port, 1],
    probeServer: createServerProbe(),
    now: () => now,
  });
  expect(await find([])).toEqual([{ baseUrl: one.url, models: ['a'] }]);
  expect(await find([one.url.replace('127.0.0.1', 'localhost')])).toEqual([]);
  expect(await find([one.url.replace('127.0.0.1', '10.0.0.1')])).toHaveLength(1);
  await one.close();
  expect(await find([])).toHaveLength(1);
  now = 60_000;
  expect(await find([])).toEqual([]);
});
