import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import { StudioError } from '../kernel/errors.ts';
import { announceRuntime, createRemoteRuntime, serveRuntime } from './runtime-socket.ts';
import type { ModelRuntime } from './runtime.ts';
import { fakeRuntime } from '../../test/support/model-store.ts';

let folder: string;
let stop: (() => Promise<void>) | null = null;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'))));
afterEach(async () => {
  await stop?.();
  stop = null;
  rmSync(folder, { recursive: true });
});
const serve = async (runtime: ModelRuntime) =>
  (stop = await serveRuntime(folder, join(folder, 'x.sock'), runtime, silent));
const never = new AbortController().signal;

it('the memory of the service is seen and changed from another process', async () => {
  const runtime = fakeRuntime();
  runtime.set('a', 'loaded', { memoryBytes: 9 });
  await serve(runtime);
  const remote = createRemoteRuntime(folder);
  expect(await remote.state()).toEqual(await runtime.state());
  await remote.load('b', never);
  await remote.unload('a', true);
  expect(await remote.tryEmbedder('e')).toMatchObject({ id: 'e', trial: { dimension: 3 } });
  expect(runtime.asked).toEqual(['load b', 'unload a by force', 'try e']);
});

it('a refusal arrives as it was', async () => {
  const no = new StudioError('conflict', 'a answers requests');
  await serve({ ...fakeRuntime(), unload: () => Promise.reject(no), load: () => Promise.reject(new Error('bug')) });
  const remote = createRemoteRuntime(folder);
  await expect(remote.unload('a', false)).rejects.toMatchObject({ code: 'conflict', message: 'a answers requests' });
  await expect(remote.load('a', never)).rejects.toMatchObject({ code: 'internal' });
});

it('a load that nobody waits for any more is given up', async () => {
  const told = Promise.withResolvers<unknown>();
  await serve({
    ...fakeRuntime(),
    load: (_id, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          told.resolve(signal.reason);
          reject(signal.reason as Error);
        }),
      ),
  });
  const gone = new AbortController();
  const load = createRemoteRuntime(folder).load('a', gone.signal);
  setTimeout(() => gone.abort(new Error('enough')), 30);
  await expect(load).rejects.toThrow();
  expect(await told.promise).toMatchObject({ code: 'client_closed' });
});

it('a service that is gone is none', async () => {
  const remote = createRemoteRuntime(folder);
  expect(await remote.state()).toBeNull();
  const end = await serve(fakeRuntime());
  await end();
  await end();
  expect(await remote.state()).toBeNull();
  for (const left of [JSON.stringify({ pid: 1, socket: join(folder, 'gone.sock') }), '{"pid":']) {
    writeFileSync(join(folder, '.service.json'), left);
    expect(await remote.state()).toBeNull();
    await remote.unload('a', false);
    await expect(remote.load('a', never)).rejects.toMatchObject({ code: 'unavailable' });
  }
});

it('a folder that cannot be written to is told of in the log, and the service starts all the same', async () => {
  const warned: unknown[] = [];
  const log = { ...silent, warn: (fields: unknown) => warned.push(fields) };
  writeFileSync(join(folder, 'file'), '');
  const inFile = join(folder, 'file', 'models');
  await (
    await announceRuntime(inFile, join(folder, 'x.sock'), fakeRuntime(), log)
  )();
  expect(warned).toMatchObject([{ folder: inFile }]);
  stop = await announceRuntime(join(folder, 'new'), join(folder, 'y.sock'), fakeRuntime(), log);
  expect(await createRemoteRuntime(join(folder, 'new')).state()).toMatchObject({ models: [] });
});
