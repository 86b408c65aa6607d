import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StopFilter } from './stops.ts';

const alphabet = fc.constantFrom('a', 'b', 'c');
const words = fc.array(fc.string({ unit: alphabet, minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });

describe('stop strings in pieces of text', () => {
  test('end the text where they would end the whole of it, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: alphabet, maxLength: 5 }), { maxLength: 12 }), words, (pieces, stops) => {
        const whole = pieces.join('');
        const filter = new StopFilter(stops);
        let out = '';
        let stop: string | null = null;
        for (const piece of pieces) {
          out += filter.push(piece);
          stop = filter.found;
        }
        out += filter.flush();
        const places = stops.map((text) => whole.indexOf(text)).filter((at) => at >= 0);
        if (stop === null) {
          expect(places).toEqual([]);
          expect(out).toBe(whole);
          return;
        }
        expect(whole.startsWith(out + stop)).toBe(true);
        // Nothing that could have been held back went out: no stop string ends earlier.
        for (const text of stops) expect(out).not.toContain(text);
      }),
    );
  });

  test('without stop strings nothing is held back', () => {
    const filter = new StopFilter([]);
    expect([filter.push('abc'), filter.found, filter.flush()]).toEqual(['abc', null, '']);
  });
});
