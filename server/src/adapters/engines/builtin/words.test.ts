import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import { countTokens, tokenize } from './tokenizer.ts';
import { languageOf, stem, terms, words } from './words.ts';

describe('stems', () => {
  test.each([
    ['서울은', '서울'],
    ['서울의', '서울'],
    ['서울로', '서울'],
    ['서울에서', '서울'],
    ['학교로', '학교'],
    ['직원들에게', '직원'],
    ['설립되었다', '설립'],
    ['설립했습니다', '설립'],
    ['지급되나요', '지급'],
    ['신청하려면', '신청'],
    ['휴가를', '휴가'],
    ['running', 'run'],
    ['companies', 'company'],
    ['studied', 'study'],
    ['classes', 'class'],
    ['refunds', 'refund'],
    ['stopped', 'stop'],
  ])('%s → %s', (word, expected) => expect(stem(word)).toBe(expected));

  test.each(['회의', '마을', '길이', '은행', '가을', '나이', 'bus', 'this', '2026'])(
    '%s has no ending to cut',
    (word) => expect(stem(word)).toBe(word),
  );

  test('are never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => words(text).every((word) => stem(word).length > 0)),
    );
  });
});

test('terms are what a text is about', () => {
  expect(terms('회사는 언제 설립되었나요?')).toEqual(['회사', '설립']);
  expect(terms('When was the company founded?')).toEqual(['company', 'found']);
});

test.each([
  ['안녕', 'ko'],
  ['API 호출 방법', 'ko'],
  ['What does 회의 mean in a long English sentence?', 'en'],
  ['hello', 'en'],
  ['123 !?', null],
] as const)('the language of %s is %s', (text, language) => expect(languageOf(text)).toBe(language));

test('tokens join to their text and are as many as counted', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(' ', '\n', '가', 'a', '1', '😀', '.') })),
      (text) => {
        const tokens = tokenize(text);
        expect(tokens.join('')).toBe(text);
        expect(countTokens(text)).toBe(tokens.length);
        expect(tokens.every((token) => token !== '')).toBe(true);
      },
    ),
  );
});
