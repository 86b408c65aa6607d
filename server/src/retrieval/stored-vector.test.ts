import { describe, expect, it } from 'vitest';
import { packVector, unpackVector } from './stored-vector.ts';

describe('vectors in the database', () => {
  const cosine = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));

  it('are the same with 32 bits, and have the same direction with 16, however large their numbers are', () => {
    for (const size of [1e-9, 1, 1e9]) {
      const vector = Float32Array.from({ length: 1_024 }, (_, at) => size * Math.sin(at * at));
      expect(unpackVector(packVector(vector))).toEqual(vector);
      const half = packVector(vector, 'float16');
      expect(half.length).toBe(2_049);
      expect(cosine(unpackVector(half), vector)).toBeCloseTo(1, 6);
    }
    expect(unpackVector(packVector(new Float32Array(3), 'float16'))).toEqual(new Float32Array(3));
  });
});
