// Vectors as the database keeps them.

/** How exactly the database keeps vectors. */
export type VectorPrecision = 'float32' | 'float16';

const HALF_BYTES = 2;
/** Before numbers of 16 bits: so they have an odd length, and none of 32 bits. */
const HALF_MARK = 0x16;

/**
 * A vector as bytes for the database. Those of 16 bits are scaled so that the largest number is 1: only the direction counts, and none
 * is too large. Both kinds may lie beside each other.
 */
export function packVector(vector: Float32Array, precision: VectorPrecision = 'float32'): Buffer {
  if (precision === 'float32') return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const half = Float16Array.from(vector, (value) => (largest === 0 ? 0 : value / largest));
  return Buffer.concat([Buffer.of(HALF_MARK), Buffer.from(half.buffer)]);
}

/** A vector from the bytes of the database. */
export function unpackVector(bytes: Buffer): Float32Array {
  if (bytes.length % 2 === 1) {
    const half = new Float16Array((bytes.length - 1) / HALF_BYTES);
    Buffer.from(half.buffer).set(bytes.subarray(1));
    return Float32Array.from(half);
  }
  const vector = new Float32Array(bytes.length / Float32Array.BYTES_PER_ELEMENT);
  Buffer.from(vector.buffer).set(bytes);
  return vector;
}

/** How many bytes the database keeps for a vector of so many numbers, with either precision. */
export const storedLengths = (dimension: number): readonly [number, number] => [
  dimension * Float32Array.BYTES_PER_ELEMENT,
  1 + dimension * HALF_BYTES,
];
