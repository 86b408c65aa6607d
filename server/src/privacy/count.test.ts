import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { countYielding } from './count.ts';

test('the counts of parts add up to that of the text', async () => {
  const lines = ['오늘은 날씨가 좋다.', '', '  들여쓴 줄', 'The next line; 12,345', '\t표', '끝  ', '😀'];
  const text = Array.from({ length: 30_000 }, (_, at) => lines[(at * 7 + (at >> 3)) % lines.length]).join('\n');
  const asked: number[] = [];
  const sum = await countYielding([text, 'short'], (part) => {
    asked.push(part.length);
    return Promise.resolve(countTokens(part));
  });
  expect(sum).toBe(countTokens(text) + countTokens('short'));
  expect(asked.length).toBeGreaterThan(3);
  expect(await countYielding(['a'.repeat(60_000)], (part) => Promise.resolve(part.length))).toBe(60_000);
});
