import { expect, test } from 'vitest';
import { mergeEvents } from './merge-events.ts';

/** A stream that is told what comes next. */
function fedStream() {
  let step = Promise.withResolvers<string | null>();
  const closed = { yes: false };
  async function* read(): AsyncGenerator<string, void> {
    try {
      for (;;) {
        const said = await step.promise;
        step = Promise.withResolvers();
        if (said === null) return;
        yield said;
      }
    } finally {
      closed.yes = true;
    }
  }
  return {
    read: read(),
    say: (text: string | null) => step.resolve(text),
    fail: () => step.reject(new Error('broken')),
    closed,
  };
}

test('events come as they are told, whichever stream tells them, until all have ended', async () => {
  const [one, other] = [fedStream(), fedStream()];
  const merged = mergeEvents([one.read, other.read]);
  other.say('b1');
  expect((await merged.next()).value).toBe('b1');
  one.say('a1');
  expect((await merged.next()).value).toBe('a1');
  one.say(null);
  other.say('b2');
  expect((await merged.next()).value).toBe('b2');
  other.say(null);
  expect((await merged.next()).done).toBe(true);
  expect((await mergeEvents([]).next()).done).toBe(true);
});

test('a failure of one ends it, and whoever stops reading ends them all', async () => {
  const [one, other] = [fedStream(), fedStream()];
  const merged = mergeEvents([one.read, other.read]);
  one.fail();
  await expect(merged.next()).rejects.toThrow('broken');
  other.say(null);
  await expect.poll(() => other.closed.yes).toBe(true);

  const [left, right] = [fedStream(), fedStream()];
  const read = mergeEvents([left.read, right.read]);
  left.say('x');
  await read.next();
  await read.return();
  left.say('y');
  right.say('z');
  await expect.poll(() => left.closed.yes && right.closed.yes).toBe(true);
});
