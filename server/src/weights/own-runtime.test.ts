import { expect, test } from 'vitest';
import { causedBy } from './cause.ts';
import { createOwnRuntime, createRunningModels } from './own-runtime.ts';

const status = {
  id: 'a',
  phase: 'loading',
  progress: 0.5,
  reason: null,
  failure: null,
  memoryBytes: 9,
  leases: 1,
} as const;
const never = new AbortController().signal;

test('what was told of a model is known until it has no place in memory, or its file went', () => {
  const running = createRunningModels();
  let changes = 0;
  running.onChange(() => changes++);
  running.note(status);
  const [first] = running.list();
  expect(first).toMatchObject({ id: 'a', phase: 'loading', progress: 0.5, requests: 1, memoryBytes: 9, cause: null });
  running.note({ ...status, progress: 0.7 });
  expect(running.list()[0]).toMatchObject({ progress: 0.7, since: first?.since });
  running.note({ ...status, phase: 'failed', failure: 'memory', reason: 'no room' });
  expect(running.list()[0]).toMatchObject({ phase: 'failed', reason: 'no room', cause: causedBy('model_memory') });
  running.note({ ...status, phase: 'ready' });
  expect(running.list()).toEqual([]);
  running.note(status);
  running.forget('a');
  expect(running.list()).toEqual([]);
  expect(changes).toBe(5);
});

test('people see the requests of this moment, load and unload, and are told why not', async () => {
  const asked: string[] = [];
  const running = createRunningModels();
  running.note(status);
  running.note({ ...status, id: 'idle', phase: 'loaded' });
  const runtime = createOwnRuntime({
    running,
    memory: {
      statuses: () => [{ id: 'a', leases: 4 }],
      acquire(id) {
        if (id === 'a') return Promise.resolve({ release: () => asked.push('released') });
        const failure =
          id === 'bug' ? new TypeError('bug') : new Error(id === 'large' ? 'It has no room.' : 'It is busy.');
        return Promise.reject(failure);
      },
      unload: (_id, force) => Promise.resolve(force),
    },
    explain(error) {
      if (error instanceof TypeError) return null;
      const { message } = error as Error;
      const cause = message === 'It has no room.' ? causedBy('model_memory', { mib: 1 }) : null;
      return { message, retryAfterSeconds: cause === null ? null : 5, cause };
    },
    probe: (id) =>
      id === 'a'
        ? Promise.resolve({ dimension: 3, norm: 1, maxTokens: 64, prefixSensitive: true })
        : Promise.reject(new Error('It gives no vectors.')),
  });
  const state = await runtime.state();
  expect(state?.pid).toBe(process.pid);
  expect(state?.models.map(({ id, requests }) => [id, requests])).toEqual([
    ['a', 4],
    ['idle', 0],
  ]);
  await runtime.load('a', never);
  expect(asked).toEqual(['released']);
  const refused = {
    code: 'unavailable',
    message: 'It has no room.',
    reason: 'model_memory',
    values: { mib: 1 },
    retryAfterSeconds: 5,
  };
  await expect(runtime.load('large', never)).rejects.toMatchObject(refused);
  await expect(runtime.load('busy', never)).rejects.toMatchObject({ message: 'It is busy.', reason: null });
  await expect(runtime.load('bug', never)).rejects.toThrow(TypeError);
  const tried = [
    { id: 'a', trial: { dimension: 3, norm: 1, maxTokens: 64, prefixSensitive: true }, problem: null },
    { id: 'b', trial: null, problem: 'It gives no vectors.' },
  ];
  expect([await runtime.tryEmbedder('a'), await runtime.tryEmbedder('b')]).toEqual(tried);
  expect((await runtime.state())?.tried).toEqual(tried);
  // Of another file, or read in another way, it is another model.
  running.forget('b');
  expect((await runtime.state())?.tried).toEqual(tried.slice(0, 1));
  await runtime.unload('a', true);
  await expect(runtime.unload('a', false)).rejects.toMatchObject({ code: 'conflict' });
});
