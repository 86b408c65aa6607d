import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLookout, inTurns, type LookoutOptions, type Taken } from './lookout.ts';

interface Piece extends Taken {
  readonly name: string;
}
const piece = (name: string): Piece => ({ name, end: new AbortController() });

/** Work that goes on until it is ended, or let go. */
function rig(names: readonly string[], more: Partial<LookoutOptions<Piece>> = {}) {
  const waiting = names.map(piece);
  const begun: Piece[] = [];
  const finishes = new Map<string, () => void>();
  const errors: [string, string][] = [];
  const lookout = createLookout<Piece>({
    size: 2,
    claim: async () => waiting.shift() ?? null,
    work: (one) => {
      begun.push(one);
      return new Promise((resolve) => {
        finishes.set(one.name, resolve);
        if (one.end.signal.aborted) resolve();
        one.end.signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    beat: async () => true,
    lost: () => new Error('lost'),
    upkeep: async () => undefined,
    pollMs: 600_000,
    beatMs: 600_000,
    onError: (error, what) => errors.push([what, (error as Error).message]),
    ...more,
  });
  const settle = async () => {
    for (let at = 0; at < 20; at++) await turn();
  };
  return { lookout, waiting, begun, finishes, errors, settle, names: () => begun.map(({ name }) => name) };
}

test('a turn that is asked for while one runs comes after it, once however often it was asked for', async () => {
  const gates: (() => void)[] = [];
  const ask = inTurns(
    () => new Promise<void>((resolve) => void gates.push(resolve)),
    () => undefined,
  );
  ask();
  ask();
  ask();
  expect(gates.length).toBe(1);
  gates[0]?.();
  await turn();
  expect(gates.length).toBe(2);
  gates[1]?.();
  await turn();
  expect(gates.length).toBe(2);
  ask();
  const ended = ask.end();
  ask();
  gates[2]?.();
  await ended;
  expect(gates.length).toBe(3);
});

test('a turn that fails is told of, and others follow', async () => {
  const errors: unknown[] = [];
  let turns = 0;
  const ask = inTurns(
    () => {
      turns++;
      return Promise.reject(new Error('away'));
    },
    (error) => errors.push(error),
  );
  ask();
  await turn();
  ask();
  await ask.end();
  expect([turns, errors.length]).toEqual([2, 2]);
});

test('so many pieces are worked on at a time, and the next one when one is done', async () => {
  const { lookout, names, finishes, settle } = rig(['a', 'b', 'c']);
  lookout.look();
  await settle();
  expect(names()).toEqual(['a', 'b']);
  finishes.get('a')?.();
  await settle();
  expect(names()).toEqual(['a', 'b', 'c']);
  expect([...lookout.live].map(({ name }) => name)).toEqual(['b', 'c']);
  await lookout.close();
});

test('the end tells all work, says whether there was any, and nothing begins after it', async () => {
  const { lookout, begun, waiting, names, settle } = rig(['a']);
  lookout.look();
  await settle();
  const [first, second] = [lookout.close(), lookout.close()];
  expect(begun[0]?.end.signal.aborted).toBe(true);
  expect([await first, await second]).toEqual([true, true]);
  waiting.push(piece('late'));
  lookout.look();
  lookout.keep();
  await settle();
  expect(names()).toEqual(['a']);
  expect(await rig([]).lookout.close()).toBe(false);
});

test('what is claimed while it ends is ended at once', async () => {
  const claimed = Promise.withResolvers<Piece | null>();
  const { lookout, begun, settle } = rig([], { claim: () => claimed.promise });
  lookout.look();
  await settle();
  const closed = lookout.close();
  claimed.resolve(piece('a'));
  expect(await closed).toBe(true);
  expect(begun[0]?.end.signal.aborted).toBe(true);
});

test.each(['work', 'claim', 'upkeep'] as const)(
  'an end does not wait for ever for %s that never answers',
  async (what) => {
    const never = () => new Promise<never>(() => undefined);
    const { lookout, errors, settle } = rig(['a'], { [what]: never, endTimeoutMs: 20 });
    if (what === 'upkeep') lookout.keep();
    else lookout.look();
    await settle();
    expect(await lookout.close()).toBe(true);
    expect(errors).toEqual([['end', expect.stringContaining('did not end')]]);
  },
);

test('a piece that went to another process is ended; a store that is away ends none', async () => {
  let mine: () => Promise<boolean> = () => Promise.reject(new Error('away'));
  const { lookout, begun, settle } = rig(['a'], { beat: () => mine(), beatMs: 1 });
  lookout.look();
  await settle();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(begun[0]?.end.signal.aborted).toBe(false);
  const ended = Promise.withResolvers<void>();
  begun[0]?.end.signal.addEventListener('abort', () => ended.resolve());
  mine = async () => false;
  await ended.promise;
  expect(begun[0]?.end.signal.reason).toMatchObject({ message: 'lost' });
  await lookout.close();
});

test('work that fails, and upkeep that fails, are told of', async () => {
  const { lookout, errors, settle } = rig(['a'], {
    work: () => Promise.reject(new Error('broken')),
    upkeep: () => Promise.reject(new Error('away')),
  });
  lookout.keep();
  await settle();
  expect(errors).toEqual([
    ['upkeep', 'away'],
    ['work', 'broken'],
  ]);
  await lookout.close();
});

test('takes several pieces at once, and keeps places for those that are on their way', async () => {
  const asked: number[] = [];
  const waiting = ['a', 'b', 'c', 'd'].map(piece);
  const { lookout, names, finishes, settle } = rig([], {
    size: 4,
    takes: 2,
    claim: async (most) => {
      asked.push(most);
      return waiting.splice(0, most);
    },
  });
  const free = lookout.reserve();
  lookout.look();
  await settle();
  expect(asked).toEqual([2, 1]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(lookout.reserve()).toBeNull();
  free?.();
  free?.();
  lookout.take(piece('own'));
  expect(names()).toEqual(['a', 'b', 'c', 'own']);
  lookout.look();
  await settle();
  expect(names()).toHaveLength(4);
  expect(lookout.reserve()).toBeNull();
  finishes.get('own')?.();
  await settle();
  expect(names().at(-1)).toBe('d');
  await lookout.close();
  expect(lookout.reserve()).toBeNull();
});

test('gives signs of life for all pieces together, and ends those that are lost', async () => {
  const gone = new Error('lost');
  let away = true;
  const { lookout, begun, settle } = rig(['a', 'b'], {
    beatMs: 1,
    lost: () => gone,
    stopping: () => new Error('the end'),
    beat: {
      all: async (all) => {
        if (away) throw new Error('the store is away');
        expect(all.map(({ name }) => name)).toEqual(['a', 'b']);
        return ({ name }) => name === 'a';
      },
    },
  });
  lookout.look();
  await settle();
  expect(begun.map(({ end }) => end.signal.aborted)).toEqual([false, false]);
  away = false;
  await new Promise((resolve) => begun[1]?.end.signal.addEventListener('abort', resolve));
  expect(begun[1]?.end.signal.reason).toBe(gone);
  expect(begun[0]?.end.signal.aborted).toBe(false);
  await lookout.close();
  expect(begun[0]?.end.signal.reason).toEqual(new Error('the end'));
});

test('that looks when full only leaves the store alone after a piece that left room anyway', async () => {
  const waiting = ['a', 'b', 'c'].map(piece);
  let asked = 0;
  const { lookout, names, finishes, settle } = rig([], {
    looksWhenFull: true,
    claim: async () => {
      asked++;
      return waiting.shift() ?? null;
    },
  });
  lookout.look();
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
  const kept = [lookout.reserve(), lookout.reserve()];
  expect(lookout.reserve()).toBeNull();
  waiting.push(piece('d'));
  for (const free of kept) free?.();
  await settle();
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  await lookout.close();
});
