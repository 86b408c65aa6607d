import type { Tensor } from './writer.ts';

/** Numbers from 0 to 1, the same for the same seed. Mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const sizeOf = (shape: readonly number[]) => shape.reduce((a, b) => a * b, 1);

export const filled = (shape: readonly number[], value: number): Tensor => ({
  shape,
  data: new Float32Array(sizeOf(shape)).fill(value),
});

export const zeros = (...shape: readonly number[]): Tensor => filled(shape, 0);
export const ones = (...shape: readonly number[]): Tensor => filled(shape, 1);

/** Normally distributed around 0. */
export function normal(random: () => number, deviation: number, ...shape: readonly number[]): Tensor {
  const data = new Float32Array(sizeOf(shape));
  for (let i = 0; i < data.length; i++) {
    data[i] = Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random()) * deviation;
  }
  return { shape, data };
}

/** A square matrix that changes nothing. */
export function identity(size: number): Tensor {
  const data = new Float32Array(size * size);
  for (let i = 0; i < size; i++) data[i * size + i] = 1;
  return { shape: [size, size], data };
}
