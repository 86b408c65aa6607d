import { expect, it } from 'vitest';
import { readEmbeddings } from './embeddings.ts';

/** The tokens of a reply, with its usage. */
const tokensOf = (input: readonly string[], usage?: object): number =>
  readEmbeddings(
    { data: input.map((_, index) => ({ index, embedding: [0.5] })), usage },
    { requestId: 'r', model: 'm', input, dimensions: null, signal: new AbortController().signal },
    'e',
  ).promptTokens;

it('tokens that the server does not count are estimated by the bytes of the texts', () => {
  expect(tokensOf(['How many days?'])).toBe(4);
  expect(tokensOf(['가나다라', 'abcd'], {})).toBe(4);
  expect(tokensOf(['a'.repeat(4_000), 'b'.repeat(4_000)])).toBe(2_000);
  expect(tokensOf(['가나다라'], { prompt_tokens: 7, total_tokens: 7 })).toBe(7);
  expect(tokensOf(['가나다라'], { prompt_tokens: 0, total_tokens: 0 })).toBe(0);
});

it('an estimate never says of a text that it is too long', () => {
  expect(tokensOf(['a'.repeat(508)])).toBe(127);
  expect(tokensOf(['a'.repeat(509)])).toBe(0);
  expect(tokensOf(['a'.repeat(509)], { prompt_tokens: 200 })).toBe(200);
});
