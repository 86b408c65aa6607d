import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from '../../test/support/long.ts';
import { WordList, lookThrough } from './word-list.ts';

const lists: readonly (readonly string[])[] = [
  ['카드', '카드번호', 'card', 'cardholder', 'pan', 'a/c', '☎', '📞'],
  ['폰', 'text me', 'text', 'h.p', 'KB국민', '등록번호 제'],
  ['제 차 번호', '제 차', '차', '님', 'part no one', 'no'],
];
const pieces = [
  ...lists.flat(),
  ...['CARD', 'Text_me', 'text-me', 'textme', '제차', '제-차_번호', 'partno-one', 'PART', 'kb국민', '등록번호제'],
  ...[' ', '_', '-', 'x', '카', '번호', ',', '\n', '1', '\ud83d'],
];

/** The same as one pattern for all words of a list. */
function patternOf(list: readonly string[]): RegExp {
  const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/ /g, '[ _-]?');
  const parts = list
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (/^[\x20-\x7e]+$/.test(word) ? `(?<![a-z])${escaped(word)}(?![a-z])` : escaped(word)));
  return new RegExp(parts.join('|'), 'gi');
}

test('words are found where a pattern of all of them finds them', () => {
  const words = lists.map((list) => new WordList(list));
  let found = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (some) => {
      const text = some.join('');
      const seen = lookThrough(text);
      const line = text.lastIndexOf('\n') + 1;
      for (const [i, list] of lists.entries()) {
        const all = [...text.matchAll(patternOf(list))];
        const ofLine = [...text.slice(line).matchAll(patternOf(list))];
        const endOf = (match: RegExpExecArray | undefined, from: number) =>
          match ? from + match.index + match[0].length : null;
        expect(words[i]?.firstStartIn(seen)).toBe(all[0]?.index ?? null);
        expect(words[i]?.lastEndIn(seen, 0)).toBe(endOf(all.at(-1), 0));
        expect(words[i]?.lastEndIn(seen, line)).toBe(endOf(ofLine.at(-1), line));
        if (all.length === 0) continue;
        found++;
        expect(words[i]?.mayStandIn(seen)).toBe(true);
      }
    }),
    { numRuns: times(1_000, 50_000) },
  );
  expect(found).toBeGreaterThan(1_000);
});

test('names that are joined by a capital letter are seen', () => {
  expect(['bankAccount', 'bank Account', 'BANK', '은행A'].map((text) => lookThrough(text).hasJoinedNames)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
