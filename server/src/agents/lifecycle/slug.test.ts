import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slugOf, slugsFor } from './slug.ts';

describe('slugs', () => {
  test.each([
    ['Holiday Rules', 'holiday-rules'],
    ['  --Q&A--  ', 'q-a'],
    ['한국어 도우미', 'hangukeo-doumi'],
    ['값을 읽다', 'gapeul-ikda'],
    ['Ünïcode ①', 'unicode-1'],
    ['규정 v2.0', 'gyujeong-v2-0'],
    ['休暇', ''],
    ['', ''],
  ])('%s', (name, slug) => expect(slugOf(name)).toBe(slug));

  test('of any name fit into an address, and never end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const slugs = slugsFor(name);
        const some = Array.from({ length: 3 }, () => slugs.next().value);
        for (const slug of some) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        for (const slug of some) expect(slug.length).toBeLessThan(60);
        expect(new Set(some).size).toBe(3);
      }),
    );
  });
});
