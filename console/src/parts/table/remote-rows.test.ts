import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextFrom } from './remote-rows.ts';

test('parts of a list are asked for until all of it is here, and never without an end', () => {
  fc.assert(
    fc.property(fc.nat(350), fc.integer({ min: 1, max: 100 }), (total, size) => {
      const pages: { items: number[]; total: number }[] = [];
      let from: number | null = 0;
      while (from !== null) {
        pages.push({ items: Array.from({ length: Math.min(size, total - from) }, (_, at) => at), total });
        from = nextFrom(pages);
        expect(pages.length).toBeLessThanOrEqual(total + 1);
      }
      expect(pages.reduce((sum, { items }) => sum + items.length, 0)).toBe(total);
    }),
  );
  // Rows were removed meanwhile.
  expect(nextFrom([{ items: [], total: 5 }])).toBeNull();
});
