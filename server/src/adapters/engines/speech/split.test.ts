import { expect, test } from 'vitest';
import { frameOf, loudness, splitByLoudness } from './split.ts';

const RATE = 16_000;
/** Sound and silence in turn, in seconds; the first is sound. */
function recording(...seconds: readonly number[]): Float32Array {
  const parts = seconds.map((length, i) =>
    Float32Array.from({ length: Math.round(length * RATE) }, (_, at) =>
      i % 2 === 0 ? 0.3 * Math.sin(at / 5) : 0.0005 * Math.sin(at / 3),
    ),
  );
  return Float32Array.from(parts.flatMap((part) => [...part]));
}
const FRAME = frameOf(RATE);
const stretches = (samples: Float32Array) =>
  splitByLoudness(loudness(samples, FRAME), samples.length, FRAME).map(
    ({ from, to }) => [from / RATE, to / RATE] as const,
  );

test('pauses part speech, silence is left out', () => {
  const found = stretches(recording(2, 3, 1, 5, 4));
  expect(found).toHaveLength(3);
  for (const [i, [start, end]] of (
    [
      [0, 2],
      [5, 6],
      [11, 15],
    ] as const
  ).entries()) {
    expect(found[i]?.[0]).toBeCloseTo(start, 0);
    expect(found[i]?.[1]).toBeCloseTo(end, 0);
  }
});

test('short pauses do not', () => {
  expect(stretches(recording(2, 0.3, 2))).toHaveLength(1);
});

test('no stretch is longer than a model hears at once, and none is lost', () => {
  const found = stretches(recording(100));
  expect(Math.max(...found.map(([from, to]) => to - from))).toBeLessThan(29);
  expect(found[0]?.[0]).toBe(0);
  expect(found.at(-1)?.[1]).toBeCloseTo(100, 0);
  for (const [i, [from]] of found.entries()) if (i > 0) expect(from).toBeLessThanOrEqual(found[i - 1]?.[1] ?? 0);
});

test('silence has none', () => {
  expect(stretches(new Float32Array(RATE * 3))).toEqual([]);
});
