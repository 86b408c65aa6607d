import type { IndexRow } from '../../server/src/ports/search-index.ts';
import { analyze, type Analysis } from '../../server/src/retrieval/analyzer/index.ts';

// Rows that look like those of a large collection: vectors in clusters, texts of Korean and English words of which few are frequent.

/** Numbers between 0 and 1, the same for the same seed. Source: Steele, Lea, Flood, OOPSLA 2014 (the mixing of SplitMix), on 32 bits. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

const WORDS = 30_000;
const WORDS_A_ROW = 60;
const ROWS_A_CLUSTER = 100;
/** How far rows lie from the middle of their cluster, beside its own length of 1. */
const SPREAD = 0.7;
const PARTICLES = ['', '을', '의', '에서', '으로', '하고', '합니다', '하려면'];

export interface Synthetic {
  /** A row with the text that its terms are of. */
  row(at: number): IndexRow & { readonly text: string };
  /** A vector near some row, and words that some row has. */
  question(at: number): { readonly vector: Float32Array; readonly text: string } & Analysis;
}

/** `share` of the rows have the fact that filters ask for: `picked: true`. */
export function createSynthetic(rows: number, dimension: number, share: number): Synthetic {
  const random = createRandom(1);
  const pick = (from: number) => Math.floor(random() * from);
  const letters = 'abcdefghijklmnoprstuvw';
  const known = (text: string) => ({ text, ...analyze(text) });
  const vocabulary = Array.from({ length: WORDS }, (_, at) => {
    const length = 2 + pick(3);
    if (at % 2 === 0)
      return known(Array.from({ length: length + 3 }, () => letters[pick(letters.length)] ?? '').join(''));
    const syllables = Array.from({ length }, () => String.fromCharCode(0xac00 + 28 * pick(399)));
    return known(syllables.join('') + (PARTICLES[pick(PARTICLES.length)] ?? ''));
  });
  const none = { text: '', terms: [], stems: [] };
  const word = (chance: () => number) => vocabulary[Math.floor(WORDS * chance() ** 4)] ?? none;
  const textOf = (chance: () => number, length: number) => {
    const words = Array.from({ length }, () => word(chance));
    return {
      text: words.map(({ text }) => text).join(' '),
      terms: words.flatMap(({ terms }) => terms),
      stems: words.flatMap(({ stems }) => stems),
    };
  };

  /** Near normal: enough for directions. */
  const normal = (chance: () => number) => (chance() + chance() + chance() - 1.5) * 2;
  const clusters = Math.max(1, Math.ceil(rows / ROWS_A_CLUSTER));
  function vectorOf(cluster: number, chance: () => number): Float32Array {
    const middle = createRandom(1_000_003 * (cluster + 1));
    const vector = new Float32Array(dimension);
    for (let at = 0; at < dimension; at++) vector[at] = normal(middle) + SPREAD * normal(chance);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  return {
    row(at) {
      const chance = createRandom(at + 7);
      const id = at.toString(16).padStart(32, '0');
      return {
        rowId: `${id}-1`,
        chunkId: id,
        documentId: Math.floor(at / 20)
          .toString(16)
          .padStart(32, '0'),
        vector: vectorOf(Math.floor(chance() * clusters), chance),
        ...textOf(chance, WORDS_A_ROW),
        fields: {
          picked: chance() < share,
          department: `department ${Math.floor(chance() * 20)}`,
          year: 2000 + Math.floor(chance() * 26),
          page: Math.floor(chance() * 300),
        },
      };
    },
    question(at) {
      const chance = createRandom(900_000_001 + at);
      return { vector: vectorOf(Math.floor(chance() * clusters), chance), ...textOf(chance, 5) };
    },
  };
}
