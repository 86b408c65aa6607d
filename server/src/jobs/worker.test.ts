import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { databaseUnavailable } from '../ports/database.ts';
import { onceBack } from './once-back.ts';
import { LeaseLost, createJobWorker, type JobWorkerOptions, type LiveJob } from './worker.ts';

interface NamedJob extends LiveJob {
  readonly name: string;
}
const jobOf = (name: string): NamedJob => ({ name, controller: new AbortController() });

/** Jobs that go on until they are aborted, or let go. */
function rig(names: readonly string[], more: Partial<JobWorkerOptions<NamedJob>> = {}) {
  const waiting = names.map(jobOf);
  const begun: NamedJob[] = [];
  const finishes = new Map<string, () => void>();
  const errors: [string, string][] = [];
  const worker = createJobWorker<NamedJob>({
    concurrency: 2,
    claim: async () => waiting.shift() ?? null,
    work: (one) => {
      begun.push(one);
      return new Promise((resolve) => {
        finishes.set(one.name, resolve);
        if (one.controller.signal.aborted) resolve();
        one.controller.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    heartbeat: async () => true,
    maintain: async () => undefined,
    pollMs: 600_000,
    heartbeatMs: 600_000,
    onError: (error, what) => errors.push([what, (error as Error).message]),
    ...more,
  });
  const settle = async () => {
    for (let at = 0; at < 20; at++) await turn();
  };
  return { worker, waiting, begun, finishes, errors, settle, names: () => begun.map(({ name }) => name) };
}

test('works on a limited number of jobs at a time, and on the next when one is done', async () => {
  const { worker, names, finishes, settle } = rig(['a', 'b', 'c']);
  worker.poll();
  await settle();
  expect(names()).toEqual(['a', 'b']);
  finishes.get('a')?.();
  await settle();
  expect(names()).toEqual(['a', 'b', 'c']);
  expect([...worker.live].map(({ name }) => name)).toEqual(['b', 'c']);
  await worker.close();
});

test('close aborts all jobs, says whether there were any, and nothing begins after it', async () => {
  const { worker, begun, waiting, names, settle } = rig(['a']);
  worker.poll();
  await settle();
  const [first, second] = [worker.close(), worker.close()];
  expect(begun[0]?.controller.signal.aborted).toBe(true);
  expect([await first, await second]).toEqual([true, true]);
  waiting.push(jobOf('late'));
  worker.poll();
  worker.maintain();
  await settle();
  expect(names()).toEqual(['a']);
  expect(await rig([]).worker.close()).toBe(false);
});

test('a job that is claimed during close is aborted at once', async () => {
  const claimed = Promise.withResolvers<NamedJob | null>();
  const { worker, begun, settle } = rig([], { claim: () => claimed.promise });
  worker.poll();
  await settle();
  const closed = worker.close();
  claimed.resolve(jobOf('a'));
  expect(await closed).toBe(true);
  expect(begun[0]?.controller.signal.aborted).toBe(true);
});

test.each(['work', 'claim', 'maintain'] as const)(
  'close does not wait for ever for %s that never answers',
  async (what) => {
    const never = () => new Promise<never>(() => undefined);
    const { worker, errors, settle } = rig(['a'], { [what]: never, closeTimeoutMs: 20 });
    if (what === 'maintain') worker.maintain();
    else worker.poll();
    await settle();
    expect(await worker.close()).toBe(true);
    expect(errors).toEqual([['close', expect.stringContaining('did not end')]]);
  },
);

test('a job that went to another process is aborted; a store that is away aborts none', async () => {
  let mine: () => Promise<boolean> = () => Promise.reject(new Error('away'));
  const { worker, begun, settle } = rig(['a'], { heartbeat: () => mine(), heartbeatMs: 1 });
  worker.poll();
  await settle();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(begun[0]?.controller.signal.aborted).toBe(false);
  const ended = Promise.withResolvers<void>();
  begun[0]?.controller.signal.addEventListener('abort', () => ended.resolve());
  mine = async () => false;
  await ended.promise;
  expect(begun[0]?.controller.signal.reason).toMatchObject({ message: expect.stringContaining('not of this process') });
  await worker.close();
});

test('failures of work and of maintenance are reported', async () => {
  const { worker, errors, settle } = rig(['a'], {
    work: () => Promise.reject(new Error('broken')),
    maintain: () => Promise.reject(new Error('away')),
  });
  worker.maintain();
  await settle();
  expect(errors).toEqual([
    ['maintain', 'away'],
    ['work', 'broken'],
  ]);
  await worker.close();
});

test('pauses after trouble until the next maintenance, where that is wanted or asked for', async () => {
  const fails = (one: NamedJob) => (one.name === 'bad' ? Promise.reject(new Error('broken')) : Promise.resolve());
  const work = (begun: string[]) => (one: NamedJob) => {
    begun.push(one.name);
    return fails(one);
  };
  const begun: string[] = [];
  const { worker, settle } = rig(['bad', 'a'], { work: work(begun), concurrency: 1, pausesAfterFailure: true });
  worker.poll();
  await settle();
  worker.poll();
  await settle();
  expect(begun).toEqual(['bad']);
  worker.maintain();
  await settle();
  expect(begun).toEqual(['bad', 'a']);
  await worker.close();
  const others: string[] = [];
  const other = rig(['bad', 'a'], { work: work(others), concurrency: 1 });
  other.worker.pause();
  other.worker.poll();
  await other.settle();
  expect(others).toEqual([]);
  other.worker.maintain();
  await other.settle();
  expect(others).toEqual(['bad', 'a']);
  await other.worker.close();
});

test('claims several jobs at once, and keeps places for those that are on their way', async () => {
  const asked: number[] = [];
  const waiting = ['a', 'b', 'c', 'd'].map(jobOf);
  const { worker, names, finishes, settle } = rig([], {
    concurrency: 4,
    claimBatch: 2,
    claim: async (most) => {
      asked.push(most);
      return waiting.splice(0, most);
    },
  });
  const free = worker.reserve();
  worker.poll();
  await settle();
  expect(asked).toEqual([2, 1]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(worker.reserve()).toBeNull();
  free?.();
  free?.();
  worker.start(jobOf('own'));
  expect(names()).toEqual(['a', 'b', 'c', 'own']);
  worker.poll();
  await settle();
  expect(names()).toHaveLength(4);
  expect(worker.reserve()).toBeNull();
  finishes.get('own')?.();
  await settle();
  expect(names().at(-1)).toBe('d');
  await worker.close();
  expect(worker.reserve()).toBeNull();
});

test('sends one heartbeat for all jobs, and aborts those that are lost', async () => {
  let away = true;
  const { worker, begun, settle } = rig(['a', 'b'], {
    heartbeatMs: 1,
    stopping: () => new Error('the end'),
    heartbeat: {
      all: async (all) => {
        if (away) throw new Error('the store is away');
        expect(all.map(({ name }) => name)).toEqual(['a', 'b']);
        return ({ name }) => name === 'a';
      },
    },
  });
  worker.poll();
  await settle();
  expect(begun.map(({ controller }) => controller.signal.aborted)).toEqual([false, false]);
  away = false;
  await new Promise((resolve) => begun[1]?.controller.signal.addEventListener('abort', resolve));
  expect(begun[1]?.controller.signal.reason).toBeInstanceOf(LeaseLost);
  expect(begun[0]?.controller.signal.aborted).toBe(false);
  await worker.close();
  expect(begun[0]?.controller.signal.reason).toEqual(new Error('the end'));
});

test('where it polls after a full house only, a job that left room anyway causes no poll', async () => {
  const waiting = ['a', 'b', 'c'].map(jobOf);
  let asked = 0;
  const { worker, names, finishes, settle } = rig([], {
    pollsAfterFullOnly: true,
    claim: async () => {
      asked++;
      return waiting.shift() ?? null;
    },
  });
  worker.poll();
  await settle();
  expect([asked, names()]).toEqual([2, ['a', 'b']]);
  finishes.get('a')?.();
  await settle();
  // The house was full: there may have been more.
  expect([asked, names()]).toEqual([3, ['a', 'b', 'c']]);
  finishes.get('b')?.();
  await settle();
  expect(asked).toBe(4);
  finishes.get('c')?.();
  await settle();
  expect(asked).toBe(4);
  // Whoever was turned away for a place that was kept for nothing is not forgotten.
  const kept = [worker.reserve(), worker.reserve()];
  expect(worker.reserve()).toBeNull();
  waiting.push(jobOf('d'));
  for (const free of kept) free?.();
  await settle();
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  await worker.close();
});

test('takes up no abandoned jobs right after the database was away: their leases are renewed first', async () => {
  let isAway = true;
  let maintained = 0;
  const { worker, waiting, names, settle } = rig(['a'], {
    claim: async () => {
      if (isAway) throw databaseUnavailable(new Error('ECONNREFUSED'));
      return waiting.shift() ?? null;
    },
    maintain: async () => void maintained++,
  });
  worker.poll();
  await settle();
  isAway = false;
  worker.maintain();
  await settle();
  expect(names()).toEqual(['a']);
  expect(maintained).toBe(0);
  await worker.close();
});

test('what the database did not take as it was away is done again; other failures and an end are not waited out', async () => {
  const end = new AbortController();
  let losses = 3;
  const store = async () => {
    if (losses-- > 0) throw databaseUnavailable(new Error('EPIPE'));
    return 'stored';
  };
  expect(await onceBack(store, end.signal, 1)).toBe('stored');
  await expect(onceBack(() => Promise.reject(new Error('refused')), end.signal, 1)).rejects.toThrow('refused');
  losses = Infinity;
  const waiting = onceBack(store, end.signal, 600_000);
  end.abort(new Error('the service is stopping'));
  await expect(waiting).rejects.toThrow('the service is stopping');
});

test('the lease of a job that does not end when it is aborted is renewed no more', async () => {
  const renewed: string[] = [];
  const { worker, settle } = rig(['a', 'b'], {
    work: () => new Promise(() => undefined),
    heartbeat: async ({ name }) => renewed.push(name) > 0,
    heartbeatMs: 5,
    closeTimeoutMs: 50,
  });
  worker.poll();
  await settle();
  const [first] = worker.live;
  first?.controller.abort(new Error('canceled'));
  const countOf = (name: string) => renewed.filter((one) => one === name).length;
  await eventually(() => expect(countOf('b')).toBeGreaterThan(countOf('a') + 3));
  const before = countOf('a');
  await eventually(() => expect(countOf('b')).toBeGreaterThan(before + 10));
  expect(countOf('a')).toBe(before);
  await worker.close();
});
