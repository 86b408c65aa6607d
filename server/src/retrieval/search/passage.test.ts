import type { SearchHit } from '@ai-studio/contract/retrieval/search.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passageOf, shortened } from './passage.ts';

const hit = (content: string, matches?: readonly (readonly [number, number])[]): SearchHit => ({
  chunk_id: 'c',
  document_id: 'd',
  document_name: '규정.hwp',
  collection_id: 'x',
  title: '',
  content,
  score: 1,
  scores: {},
  page: null,
  metadata: {},
  ...(matches === undefined
    ? {}
    : {
        parent: {
          start_page: null,
          end_page: null,
          matches: matches.map(([start, end], at) => ({ chunk_id: `c${at}`, start, end })),
        },
      }),
});
const found = ({ content, matches = [] }: ReturnType<typeof passageOf>) =>
  matches.map(({ start, end }) => content.slice(start, end));

describe('a passage that is too long for its place', () => {
  test('is its beginning where all of it was found', () => {
    expect(shortened(passageOf(hit('가'.repeat(900))), 200).content).toBe('가'.repeat(200));
    expect(passageOf(hit('짧다'))).not.toHaveProperty('matches');
  });

  test('is the part around what was found where that stands in a larger one, and says where', () => {
    const text = `${'가'.repeat(900)}여기다${'나'.repeat(900)}`;
    const short = shortened(passageOf(hit(text, [[900, 903]])), 200);
    expect(short.content).toHaveLength(200);
    expect(short.content).toContain('가여기다나');
    expect(found(short)).toEqual(['여기다']);
    // Most of it stands behind what was found.
    expect(short.content.indexOf('여기다')).toBe(50);
  });

  test('begins with a line where one begins before what was found', () => {
    const text = `${'가'.repeat(300)}\n둘째 줄\n여기다${'나'.repeat(900)}`;
    const short = shortened(passageOf(hit(text, [[306, 309]])), 200);
    expect(short.content.startsWith('둘째 줄\n여기다나')).toBe(true);
    expect(found(short)).toEqual(['여기다']);
  });

  test('is chosen by the best match; others are named as far as they are shown', () => {
    const text = `처음${'가'.repeat(900)}여기다${'나'.repeat(20)}또${'나'.repeat(900)}`;
    const places = [
      [902, 905],
      [0, 2],
      [925, 926],
    ] as const;
    expect(found(shortened(passageOf(hit(text, places)), 100))).toEqual(['여기다', '또']);
    expect(found(shortened(passageOf(hit(text, places)), 10_000))).toEqual(['여기다', '처음', '또']);
  });

  test('is never too long, and says where the best match begins, wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('가', 'b', '\n', ' ', '😀'), { minLength: 1, maxLength: 400 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 300 }),
        (signs, first, length, most) => {
          const text = signs.join('');
          const start = first % text.length;
          const end = Math.min(text.length, start + 1 + (length % 50));
          const { content, matches = [] } = shortened(passageOf(hit(text, [[start, end]])), most);
          expect(content.length).toBeLessThanOrEqual(most);
          const [place] = matches;
          // Halves of a pair at the borders become another sign.
          const shown = text.slice(start, end).slice(0, (place?.end ?? 0) - (place?.start ?? 0));
          expect(content.slice(place?.start, place?.end)).toHaveLength(shown.length);
          expect(shown.length).toBeGreaterThan(0);
          if (shown.isWellFormed()) expect(content.slice(place?.start, place?.end)).toBe(shown);
        },
      ),
    );
  });
});
