import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAtFindings } from './cuts.ts';

const found = (start: number, end: number) => ({ type: 'RRN' as const, start, end, score: 1, recognizer: 'r' });

test('pieces make up the text, and findings are theirs', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(20), { maxLength: 8 }), (text, places) => {
      const sorted = places.map((place) => Math.min(place, text.length)).toSorted((a, b) => a - b);
      const findings = sorted.flatMap((start, at) => {
        const end = sorted[at + 1];
        return at % 2 === 0 && end !== undefined && end > start ? [found(start, end)] : [];
      });
      const pieces = cutAtFindings(text, findings);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      expect(pieces.flatMap(({ finding }) => finding ?? [])).toEqual(findings);
      for (const { start, text: part } of pieces) expect(text.startsWith(part, start)).toBe(true);
    }),
  );
});
