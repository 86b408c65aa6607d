import { setImmediate as nextTurn } from 'node:timers/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTokenCounter, type TokenCounter } from './count.ts';

const { load } = vi.hoisted(() => ({ load: vi.fn() }));
// Whoever counted here would load the tables here.
vi.mock(import('@ai-studio/documents'), async (original) => ({ ...(await original()), loadTokenizer: load }));

let counter: TokenCounter;
beforeAll(() => {
  counter = createTokenCounter();
});
afterAll(() => counter.close());

test('tokens are counted as the encoding has them', async () => {
  const lines = ['오늘은 날씨가 좋다.', '', '  들여쓴 줄', 'The next line; 12,345', '\t표', '/끝  ', '😀'];
  const text = Array.from({ length: 8_000 }, (_, at) => lines[(at * 7 + (at >> 3)) % lines.length]).join('\n');
  expect(await counter.count(text)).toBe(countTokens(text));
  expect(await counter.count('')).toBe(0);
});

test('texts of any kind are counted in a thread, in parts between which others have their turn', async () => {
  let turns = 0;
  let over = false;
  const clock = (async () => {
    for (; !over; turns++) await nextTurn();
  })();
  const ended: string[] = [];
  const long = counter.count('a@'.repeat(400_000)).then((count) => {
    ended.push('long');
    return count;
  });
  const short = counter.count('hello').then((count) => {
    ended.push('short');
    return count;
  });
  expect(await short).toBe(1);
  expect(await long).toBeGreaterThan(200_000);
  over = true;
  await clock;
  expect(ended).toEqual(['short', 'long']);
  // A part has some 20,000 units, and each is waited for.
  expect(turns).toBeGreaterThan(20);
  expect(load).not.toHaveBeenCalled();
});

test('at the end nothing is counted', async () => {
  const ending = createTokenCounter();
  const counted = ending.count('some words');
  const refused = expect(counted).rejects.toMatchObject({ code: 'unavailable' });
  await nextTurn();
  await ending.close();
  await ending.close();
  await refused;
  await expect(ending.count('some words')).rejects.toMatchObject({ code: 'unavailable' });
});
