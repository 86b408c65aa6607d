import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.ts';

const never = new AbortController().signal;

test('the work of one subject never runs twice at a time, that of others meanwhile', async () => {
  const oneAtATime = createKeyedQueue();
  const running = new Map<string, number>();
  const done: string[] = [];
  let most = 0;
  const work = (subject: string, i: number) => async () => {
    const now = (running.get(subject) ?? 0) + 1;
    running.set(subject, now);
    most = Math.max(
      most,
      [...running.values()].reduce((a, b) => a + b),
    );
    expect(now).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running.set(subject, now - 1);
    done.push(`${subject}${i}`);
    if (i === 1) throw new Error('failed');
    return i;
  };
  const all = await Promise.allSettled(
    ['a', 'b'].flatMap((subject) => [0, 1, 2, 3].map((i) => oneAtATime(subject, never, work(subject, i)))),
  );
  expect(most).toBe(2);
  expect(done.filter((one) => one.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3']);
  expect(all.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(2);
});

test('work for which nobody waits any more is left out', async () => {
  const oneAtATime = createKeyedQueue();
  const gone = new AbortController();
  const first = oneAtATime('a', never, () => new Promise((resolve) => setImmediate(resolve)));
  const second = oneAtATime('a', gone.signal, () => Promise.reject(new Error('must not run')));
  gone.abort();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'client_closed' });
});
