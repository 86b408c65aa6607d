import fc from 'fast-check';
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { describe, expect, test } from 'vitest';
import { hostileTexts, longestHostileTexts, MAX_TEXT_LENGTH } from './hostile.fixture.ts';
import { MAX_WORD_LENGTH, partsOf, splitLongWords } from './words.ts';

const patterns = [O200K_TOKEN_SPLIT_REGEX, CL100K_TOKEN_SPLIT_REGEX];
const wordsOf = (text: string, pattern: RegExp) => text.match(pattern) ?? [];

/** Pieces of each kind that the patterns tell apart. */
const piece = fc.constantFrom(
  "don't",
  "'",
  'WORD',
  'word',
  '가나',
  '漢',
  'é',
  'e\u0301',
  '\u0301',
  '12345',
  '²',
  '𝟎',
  '𝐀',
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
  '  ',
  '\t',
  '\u00a0',
  '\u3000',
  '。',
  '<|endoftext|>',
  '\ud83d',
  '_',
);
const texts = (most: number) => fc.array(piece, { maxLength: most }).map((list) => list.join(''));

describe('texts in parts', () => {
  test('no part has a word that is too long', () => {
    for (const [name, text] of hostileTexts(20_000)) {
      const parts = [...splitLongWords(text)];
      expect(parts.join(''), name).toBe(text);
      for (const pattern of patterns)
        for (const part of parts)
          for (const word of wordsOf(part, pattern)) expect(word.length, name).toBeLessThanOrEqual(MAX_WORD_LENGTH + 1);
    }
    const repeated = fc.tuple(texts(4), fc.integer({ min: 1, max: 150 })).map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.array(repeated, { maxLength: 3 }), (list) => {
        for (const part of splitLongWords(list.join('')))
          for (const pattern of patterns)
            for (const word of wordsOf(part, pattern)) if (word.length > MAX_WORD_LENGTH + 1) return false;
        return true;
      }),
      { numRuns: 200 },
    );
  });

  test('the longest texts are cut into parts of bounded length, each unit once', () => {
    for (const [name, text] of longestHostileTexts()) {
      for (const [cut, most] of [
        [partsOf, 101],
        [splitLongWords, MAX_TEXT_LENGTH / MAX_WORD_LENGTH + 101],
      ] as const) {
        const lengths = Array.from(cut(text), (part) => part.length);
        expect(lengths.length, name).toBeLessThanOrEqual(most);
        expect(Math.max(...lengths), name).toBeLessThanOrEqual(40_000 + 2 * MAX_WORD_LENGTH);
        expect(
          lengths.reduce((sum, length) => sum + length, 0),
          name,
        ).toBe(MAX_TEXT_LENGTH);
      }
    }
  });

  test('texts that people write are not cut within words', () => {
    const written = [
      'It\'s the rule (see https://example.com/a/b?c=d_e) of 2024-01-15; "quoted", don\'t, e-mail@example.com.\n\n',
      '제1조(목적) 이 규칙은 임직원의 여비를 정한다.\r\n  ② 별표 1, 12,345원 → 다음 각 호.\n',
      'Привет, мир! Ένα δύο. אחת שתיים. हिन्दी में लिखा है। 日本語の文章です。「引用」、次。\n',
      '| --- | --- |\n| 값 | 1.5% |\n\tif (a) {\n\t\treturn b[0];\n\t}\n}\n',
    ].join('');
    const cuts: string[] = [];
    const text = written.repeat(200);
    for (const part of splitLongWords(text)) cuts.push(part);
    // Each is a part of the usual length: had a word been cut there would be more of them.
    expect(cuts.length).toBeLessThanOrEqual(Math.ceil(text.length / 20_000));
    for (const pattern of patterns)
      expect(cuts.flatMap((part) => wordsOf(part, pattern))).toEqual(wordsOf(text, pattern));
  });

  test('parts are cut between words, and are the same when they are cut again', () => {
    fc.assert(
      fc.property(texts(12), fc.integer({ min: 1, max: 12_000 }), (one, times) => {
        const text = one.repeat(Math.min(times, Math.ceil(100_000 / Math.max(1, one.length))));
        const parts = [...partsOf(text)];
        expect(parts.join('')).toBe(text);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(40_000 + 2 * MAX_WORD_LENGTH);
        expect(parts.flatMap((part) => [...partsOf(part)])).toEqual(parts);
      }),
      { numRuns: 100 },
    );
  });
});
