import fc from 'fast-check';
import cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import o200k from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { hostileTexts } from './hostile.fixture.ts';
import { loadTokenizer, MERGE_CACHE_SIZE } from './tokens.ts';
import { MAX_WORD_LENGTH, partsOf } from './words.ts';

const tokenizer = await loadTokenizer();
const older = await loadTokenizer('cl100k_base');
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** What the library does within: it merges words, and remembers some. */
interface Core {
  bytePairMerge(piece: Uint8Array): number[];
  readonly mergeCache?: ReadonlyMap<string, unknown>;
}
const core = (o200k as unknown as { readonly bytePairEncodingCoreProcessor: Core }).bytePairEncodingCoreProcessor;

/** The bytes of each word that are merged while `work` runs. */
function mergedBytes(work: () => void): number[] {
  const own = core.bytePairMerge.bind(core);
  const lengths: number[] = [];
  core.bytePairMerge = (piece) => {
    lengths.push(piece.length);
    return own(piece);
  };
  try {
    work();
  } finally {
    core.bytePairMerge = own;
  }
  return lengths;
}

test('counts what the encoding has', () => {
  const text =
    '제1조(목적) 이 규칙은 임직원의 여비를 정한다.\n\n  The rules apply from 2024-01-15; see https://example.com/a?b=c. 😀\n'.repeat(
      40,
    );
  expect(tokenizer.count(text)).toBe(o200k.countTokens(text));
  expect(tokenizer.count('')).toBe(0);
  expect(tokenizer.count('<|endoftext|>')).toBeGreaterThan(1);
});

test('counts as the encodings do where no word is too long', () => {
  const word = fc.constantFrom(
    "don't",
    "'",
    'WORDS',
    'camelCase',
    '가나다',
    '漢字かな',
    'e\u0301',
    '\u0301',
    '1234567',
    '²',
    '𝟎',
    '😀',
    '👩‍👧',
    '!',
    '...',
    '/',
    '\u0001',
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    '   ',
    '\t',
    '\u00a0',
    '\u3000',
    '。',
    '<|endoftext|>',
    'a@',
    '_',
    'ünï',
    'снег',
    'ไทย',
  );
  // So few pieces that no word of them has more than the bound.
  const short = fc.array(word, { maxLength: MAX_WORD_LENGTH / 15 }).map((list) => list.join(''));
  const long = fc.tuple(short, fc.integer({ min: 1, max: 200 })).map(([text, times]) => `${text}x y\n`.repeat(times));
  fc.assert(
    fc.property(fc.oneof(short, long), (text) => {
      const whole = o200k.countTokens(text, asText);
      expect(tokenizer.count(text)).toBe(whole);
      expect([...partsOf(text)].reduce((sum, part) => sum + tokenizer.count(part), 0)).toBe(whole);
      expect(older.count(text)).toBe(cl100k.countTokens(text, asText));
    }),
    { numRuns: 150 },
  );
});

test('no word takes more than its bound, however long a text has none of its borders', () => {
  for (const [name, text] of hostileTexts(times(25_000, 100_000))) {
    const lengths = mergedBytes(() => expect(tokenizer.count(text), name).toBeGreaterThan(100));
    expect(Math.max(0, ...new Set(lengths)), name).toBeLessThanOrEqual((MAX_WORD_LENGTH + 1) * 3);
    // As many bytes as the text has, and none twice.
    expect(
      lengths.reduce((sum, length) => sum + length, 0),
      name,
    ).toBeLessThanOrEqual(Buffer.byteLength(text));
  }
});

test('few words are remembered', () => {
  tokenizer.count(Array.from({ length: 5_000 }, (_, at) => `낱말${at}이었습니다`).join(' '));
  expect(core.mergeCache?.size ?? 0).toBeLessThanOrEqual(MERGE_CACHE_SIZE);
  expect(MERGE_CACHE_SIZE).toBeLessThanOrEqual(1_000);
});
