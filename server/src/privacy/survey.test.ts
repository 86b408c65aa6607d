import { expect, test } from 'vitest';
import fc from 'fast-check';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { times } from '../../test/support/long.ts';
import { createRandom } from '../../../bench/privacy/random.ts';
import { mutate, texts } from '../../test/support/changed-texts.ts';
import { type Words, contextWords, forgetText, objectWords } from './context.ts';
import { findPii } from './find.ts';
import { normalise } from './normalise.ts';
import { recognise } from './recognisers/index.ts';
import { hasLength, hasSpacedDigits, mayBeIrregular, survey } from './survey.ts';

// What is left out for a text must find nothing in it. So texts with values of all types, and what becomes of them where characters are
// lost, doubled and exchanged, are looked through with all that is left out and without.

const all = new Set(piiTypes);

function reported(text: string, thorough: boolean): string[] {
  const found: string[] = [];
  recognise(text, all, 'auto', (...finding) => found.push(finding.join(' ')), survey(text), thorough);
  forgetText();
  return found;
}

test('recognisers that are left out would have found nothing', () => {
  const random = createRandom(11);
  let left = 0;
  for (let round = times(1, 20); round > 0; round--)
    for (const text of texts) {
      const { text: read } = normalise(mutate(text, random));
      const found = reported(read, false);
      expect(found, JSON.stringify(read)).toEqual(reported(read, true));
      if (found.length === 0) left++;
    }
  expect(left).toBeGreaterThan(100);
});

test('words of a list are surveyed apart from the text', () => {
  const [text, rrn] = ['주민번호 960121-1234567 에이원', { type: 'RRN', start: 5, end: 19, score: 0.9 }];
  const custom = { type: 'CUSTOM', start: 20, end: 23, score: 1 };
  expect(findPii(text, { denyList: ['에이원', '1 2 3 4'] })).toEqual([rrn, custom]);
  expect(findPii(text, { allowList: ['12 34'] })).toEqual([rrn]);
});

test('groups of digits, their lengths and runs of code are those of the text', () => {
  const piece = fc.constantFrom(
    '1',
    '23',
    '4567',
    ' ',
    '  ',
    '-',
    '_',
    '.',
    'a',
    'Z',
    '가',
    '\u00a0',
    '１',
    '(',
    ':',
    '%',
    '%40',
    '\\u',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const seen = survey(text);
      const { count, starts, ends } = seen.groups;
      const groups = Array.from(text.matchAll(/[0-9]+/g), ({ index, 0: digits }) => [index, index + digits.length]);
      expect(Array.from({ length: count }, (_, at) => [starts[at], ends[at]])).toEqual(groups);
      for (const length of [1, 2, 3, 4, 6, 8])
        expect(hasLength(seen, length)).toBe(groups.some(([start = 0, end = 0]) => end - start === length));
      const codes = Array.from(text.matchAll(/[0-9A-Za-z_-]+/g), ([code]) => code.length);
      expect(seen.longestCode).toBe(Math.max(0, ...codes));
      expect(hasSpacedDigits(seen)).toBe(/[0-9] [0-9] [0-9]/.test(text));
      // What is irregular changes; a percent sign alone does not.
      if (normalise(text).text !== text) expect(mayBeIrregular(text, seen) || hasSpacedDigits(seen)).toBe(true);
    }),
    { numRuns: times(500, 10_000) },
  );
});

test('many groups of digits are all seen', () => {
  const text = '1 '.repeat(100_000);
  expect(survey(text).groups.count).toBe(100_000);
  const { count, starts, ends } = survey('ab 12').groups;
  expect([count, starts[0], ends[0]]).toEqual([1, 3, 5]);
});

test('every character that normalising changes is known to be irregular', () => {
  for (let code = 0; code < 65_536; code++) {
    const char = String.fromCharCode(code);
    // Jamo change in pairs, digits of mathematics have two units.
    const text = code >= 0x1100 && code <= 0x1112 ? `${char}\u1161` : code === 0xd835 ? `${char}\udfce` : char;
    const seen = survey(text);
    const { text: read } = normalise(text, { ...seen, kinds: ~0 });
    expect(mayBeIrregular(text, seen) || read === text, code.toString(16)).toBe(true);
  }
});

test('words are found wherever their whole pattern finds them', () => {
  // Beginnings of words share places of a table: a list is asked wherever one of its words may stand.
  const lists: readonly (readonly string[])[] = [
    ['카드', 'card', 'pan'],
    ['폰', 'text me', 'h.p'],
    ['제 차', '내 차', '님'],
  ];
  const words = lists.map((list) => contextWords(list));
  const piece = fc.constantFrom(
    '카드',
    'CARD',
    'pan',
    '폰',
    'Text_me',
    'text-me',
    'textme',
    'h.p',
    '제차',
    '내-차',
    '님',
    ' ',
    'x',
    '카',
    '차',
    ',',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = `${pieces.join('')} 12345`;
      const start = text.length - 5;
      const patterns = [
        /카드|(?<![a-z])card(?![a-z])|(?<![a-z])pan(?![a-z])/i,
        /폰|(?<![a-z])text[ _-]?me(?![a-z])|(?<![a-z])h\.p(?![a-z])/i,
        /제[ _-]?차|내[ _-]?차|님/,
      ];
      const window = text.slice(Math.max(0, start - 40), start).replace(/([a-z])(?=[A-Z])/g, '$1 ');
      const found = words.map((list: Words) => list.distanceTo(text, start, text.length) !== null);
      expect(found).toEqual(patterns.map((pattern) => pattern.test(window)));
    }),
    { numRuns: times(500, 10_000) },
  );
  expect(objectWords.distanceTo('주문 12345', 3, 8)).toBe(1);
});
