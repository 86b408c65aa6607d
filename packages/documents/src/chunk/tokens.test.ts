import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { loadTokenizer } from './tokens.ts';

const tokenizer = await loadTokenizer();

test('counts what the encoding has', () => {
  const text =
    '제1조(목적) 이 규칙은 임직원의 여비를 정한다.\n\n  The rules apply from 2024-01-15; see https://example.com/a?b=c. 😀\n'.repeat(
      40,
    );
  expect(tokenizer.count(text)).toBe(countTokens(text));
  expect(tokenizer.count('')).toBe(0);
  expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1);
});

test('runs that no writing has do not hold it up', () => {
  // In one piece each of these takes minutes.
  for (const char of ['a', ' ', '[', '가', '😀']) {
    const count = tokenizer.count(char.repeat(1_000_000 / char.length));
    expect(count).toBeGreaterThan(1_000);
  }
});
