import { beforeEach, expect, it } from 'vitest';
import type { ContextRefusal, EngineModel } from '../../../../ports/engine.ts';
import { ContextLengths } from './lengths.ts';

const MINUTE_MS = 60_000;
let nowMs: number;
let asked: number;
let answer: () => Promise<readonly EngineModel[]>;
let learned: [string, number][];
let lengths: ContextLengths;

beforeEach(() => {
  nowMs = 0;
  asked = 0;
  learned = [];
  answer = () => Promise.resolve([{ name: 'm', contextLength: 8192 }]);
  lengths = new ContextLengths({
    ask: () => {
      asked++;
      return answer();
    },
    onLearned: (model, tokens) => learned.push([model, tokens]),
    onFailed: () => undefined,
    now: () => nowMs,
  });
});

/** What is known once the server was asked, if it is to be. */
async function after(ms: number): Promise<number | null> {
  nowMs += ms;
  lengths.of('m');
  await new Promise((resolve) => setImmediate(resolve));
  return lengths.of('m');
}

const refusal = (more: Partial<ContextRefusal>): ContextRefusal => ({
  contextLength: null,
  promptTokens: null,
  isExact: false,
  completionTokens: null,
  maxCompletionTokens: null,
  ...more,
});

it('is asked when it is first looked at, and more and more seldom', async () => {
  expect(lengths.of('m')).toBeNull();
  expect(await after(0)).toBe(8192);
  const times: number[] = [];
  for (let second = 0; second < 3600; second++) {
    const before = asked;
    await after(1000);
    if (asked > before) times.push(second + 1);
  }
  expect(times.slice(0, 4)).toEqual([15, 45, 105, 225]);
  expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBe(600);
});

it('is told once where it stays the same, and again where it changes', async () => {
  await after(0);
  await after(MINUTE_MS);
  expect(learned).toEqual([['m', 8192]]);
  answer = () => Promise.resolve([{ name: 'm', contextLength: 4096 }]);
  expect(await after(10 * MINUTE_MS)).toBe(4096);
  expect(learned).toEqual([
    ['m', 8192],
    ['m', 4096],
  ]);
});

it('stays what it was while the server cannot be asked, and is asked soon again', async () => {
  await after(0);
  answer = () => Promise.reject(new Error('away'));
  expect(await after(MINUTE_MS)).toBe(8192);
  const before = asked;
  await after(14_000);
  expect(asked).toBe(before);
  await after(1000);
  expect(asked).toBe(before + 1);
});

it('is asked soon after a call that failed', async () => {
  for (let i = 0; i < 20; i++) await after(10 * MINUTE_MS);
  const before = asked;
  await after(MINUTE_MS);
  expect(asked).toBe(before);
  lengths.suspect();
  await after(15_000);
  expect(asked).toBe(before + 1);
});

it('of a server that says none is that of its refusal, for an hour', async () => {
  answer = () => Promise.resolve([{ name: 'm', contextLength: null }]);
  await after(0);
  lengths.noteRefusal('m', refusal({ contextLength: 4096 }));
  expect(lengths.of('m')).toBe(4096);
  expect(await after(59 * MINUTE_MS)).toBe(4096);
  expect(await after(2 * MINUTE_MS)).toBeNull();
});

it('of a server that says one is not that of a refusal', async () => {
  await after(0);
  lengths.noteRefusal('m', refusal({ contextLength: 5 }));
  expect(lengths.of('m')).toBe(8192);
});

it('has the most that a reply may be asked for, as a refusal said', () => {
  expect(lengths.maxCompletion('m')).toBeNull();
  lengths.noteRefusal('m', refusal({ maxCompletionTokens: 4096 }));
  expect(lengths.maxCompletion('m')).toBe(4096);
  nowMs += 61 * MINUTE_MS;
  expect(lengths.maxCompletion('m')).toBeNull();
});
