import { stem, words } from './words.ts';

export const DEFAULT_DIMENSIONS = 1024;
export const SMALLEST_DIMENSIONS = 64;
export const LARGEST_DIMENSIONS = 4096;

const HANGUL = /[가-힣]/;
const PRIME = 0x01000193;

/** FNV-1a of the text's UTF-16 units: the same on every machine. */
function hash(text: string, seed: number): number {
  let h = seed >>> 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), PRIME) >>> 0;
  h ^= h >>> 15;
  return Math.imul(h, 0x2c1b3c6d) >>> 0;
}

/** Features of one word: its stem, and runs of characters inside, which like words share. */
function* features(word: string): Generator<readonly [string, number]> {
  const root = stem(word);
  yield [`w${root}`, 1];
  if (HANGUL.test(root)) {
    for (let i = 0; i < root.length; i++) yield [`h${root.charAt(i)}`, 0.15];
    for (let i = 0; i + 2 <= root.length; i++) yield [`b${root.slice(i, i + 2)}`, 0.6];
    const letters = root.normalize('NFD');
    for (let i = 0; i + 4 <= letters.length; i++) yield [`j${letters.slice(i, i + 4)}`, 0.12];
    return;
  }
  const marked = `^${root}$`;
  for (let i = 0; i + 3 <= marked.length; i++) yield [`c${marked.slice(i, i + 3)}`, 0.35];
  for (let i = 0; i + 4 <= marked.length; i++) yield [`d${marked.slice(i, i + 4)}`, 0.3];
}

/** Longest word that is taken apart; what is longer is no word. */
const LONGEST_WORD = 64;

/**
 * A vector of length 1 from hashed pieces of the text's words: like words lie near each other, not like meanings.
 * Deterministic; linear in the length of the text.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const counts = new Map<string, { times: number; weight: number }>();
  for (const word of words(text)) {
    for (const [feature, weight] of features(word.slice(0, LONGEST_WORD))) {
      const known = counts.get(feature);
      if (known) known.times++;
      else counts.set(feature, { times: 1, weight });
    }
  }
  const vector = new Float32Array(dimensions);
  for (const [feature, { times, weight }] of counts) {
    const h = hash(feature, 0x811c9dc5);
    const sign = hash(feature, 0x1234567) & 1 ? 1 : -1;
    vector[h % dimensions]! += sign * weight * (1 + Math.log(times));
  }
  const length = norm(vector);
  if (length === 0) {
    vector[0] = 1;
    return vector;
  }
  for (let i = 0; i < dimensions; i++) vector[i]! /= length;
  return vector;
}

function norm(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
