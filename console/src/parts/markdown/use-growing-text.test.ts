import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextShown } from './use-growing-text.ts';

test('a text that grew is shown step by step, to its end', () => {
  fc.assert(
    fc.property(fc.nat(30_000), fc.nat(30_000), (before, more) => {
      const latest = 'x'.repeat(before + more);
      let shown = latest.slice(0, before);
      for (let steps = 0; shown !== latest; steps += 1) {
        const next = nextShown(shown, latest);
        expect(next.length - shown.length).toBeLessThanOrEqual(4_000);
        expect(next.length).toBeGreaterThan(shown.length);
        expect(steps).toBeLessThan(10);
        shown = next;
      }
    }),
  );
});

test('another text takes its place at once', () => {
  expect(nextShown('old', 'y'.repeat(9_000))).toHaveLength(9_000);
  expect(nextShown('a long one', 'short')).toBe('short');
});
