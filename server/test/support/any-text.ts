import fc from 'fast-check';

const HALVES = 0xd8_00;
const HALF_COUNT = 0x8_00;
const LAST = 0x10_ff_ff;

/**
 * Any code point; halves of pairs are none. The unit `binary` of fast-check is the same, and makes a map of all of them first, which
 * takes more than a second of processor time in each worker.
 */
const codePoint = fc.nat(LAST - HALF_COUNT).map(
  (nth) => String.fromCodePoint(nth < HALVES ? nth : nth + HALF_COUNT),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : 0;
    if (typeof text !== 'string' || String.fromCodePoint(code) !== text) throw new Error('no code point');
    return code < HALVES ? code : code - HALF_COUNT;
  },
);

/** Texts of any letters, signs and controls. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
