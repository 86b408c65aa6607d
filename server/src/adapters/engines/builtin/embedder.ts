import { isFunctionWord, isHangulWord, stem, words } from './words.ts';

/** Length of a vector unless another is asked for. */
export const DEFAULT_DIMENSIONS = 1024;
export const MIN_DIMENSIONS = 64;
export const MAX_DIMENSIONS = 4096;

/** Weights of the pieces of a word. Chosen by hand so that like words outweigh like letters. */
const WEIGHT = { stem: 1, word: 0.25, pair: 0.6, triple: 0.5, letters: 0.12, latin: 0.45, functionWord: 0.08 } as const;

/** Longest word that is taken apart. */
const MAX_WORD_LENGTH = 32;

/** Words whose pieces are remembered within one text. */
const MAX_REMEMBERED = 20_000;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over UTF-16 units, finished as in MurmurHash3, so that every bit of it may be used. Same on every machine. */
function hashOf(text: string, from: number, to: number, kind: number): number {
  let h = FNV_OFFSET ^ kind;
  for (let i = from; i < to; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Pieces of one word as pairs of a hash and a weight. */
function piecesOf(word: string): Float64Array {
  const pieces: number[] = [];
  const grams = (text: string, size: number, kind: number, weight: number) => {
    for (let i = 0; i + size <= text.length; i++) pieces.push(hashOf(text, i, i + size, kind), weight);
  };
  const root = stem(word);
  if (isFunctionWord(word) || isFunctionWord(root)) {
    pieces.push(hashOf(root, 0, root.length, 1), WEIGHT.functionWord);
    return Float64Array.from(pieces);
  }
  pieces.push(hashOf(root, 0, root.length, 1), WEIGHT.stem);
  if (root !== word) pieces.push(hashOf(word, 0, word.length, 2), WEIGHT.word * 0.3);
  if (isHangulWord(root)) {
    grams(root, 2, 3, WEIGHT.pair);
    grams(root, 3, 4, WEIGHT.triple * 0.5);
    // Letters of the syllables forgive a slip of the finger: 데이터, 데이타.
    const letters = root.normalize('NFD');
    grams(letters, 3, 5, WEIGHT.letters);
    grams(letters, 4, 6, WEIGHT.letters);
  } else {
    const marked = `<${root}>`;
    for (const size of [3, 4, 5])
      grams(marked, size, 4 + size, WEIGHT.latin / Math.sqrt(Math.max(1, marked.length - size)));
  }
  return Float64Array.from(pieces);
}

/** How many UTF-16 units of a text are taken at once; keeps long texts from holding many strings. */
const SLICE = 65_536;

/** A text in slices that end between words where they can. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const most = at + SLICE;
    const blank = most < text.length ? text.lastIndexOf(' ', most) : -1;
    const end = blank > at ? blank : most;
    yield text.slice(at, end);
    at = end;
  }
}

/** Pieces whose weights are added up at once. */
const PIECES_PER_STEP = 100_000;

/**
 * A vector of length 1 from hashed pieces of the text's words: stems, pairs of syllables, runs of letters. How often a
 * piece stands in the text counts by its logarithm. Like words lie near each other, not like meanings. Deterministic on
 * every machine; linear in the length of the text. A text without words gives the same unit vector as any other such text.
 * Pauses within a text of more than one slice.
 */
export function* embedSteps(text: string, dimensions: number): Generator<undefined, Float32Array> {
  const sums = new Float64Array(dimensions);
  const all = new Map<number, { times: number; weight: number }>();
  const remembered = new Map<string, Float64Array>();
  for (const slice of slicesOf(text)) {
    for (const raw of words(slice)) {
      const word = raw.slice(0, MAX_WORD_LENGTH);
      const pieces = remembered.get(word) ?? piecesOf(word);
      if (remembered.size < MAX_REMEMBERED) remembered.set(word, pieces);
      for (let i = 0; i < pieces.length; i += 2) {
        const hash = pieces[i] ?? 0;
        const known = all.get(hash);
        if (known) known.times++;
        else all.set(hash, { times: 1, weight: pieces[i + 1] ?? 0 });
      }
    }
    if (slice.length < text.length) yield;
  }
  let done = 0;
  for (const [hash, { times, weight }] of all) {
    // The low bits choose the place, the highest one the sign, so that pieces which meet cancel out on average.
    const place = hash % dimensions;
    sums[place] = (sums[place] ?? 0) + (hash >>> 31 === 1 ? weight : -weight) * (1 + Math.log(times));
    if (++done % PIECES_PER_STEP === 0) yield;
  }
  return unit(sums);
}

function unit(sums: Float64Array): Float32Array {
  let square = 0;
  for (const value of sums) square += value * value;
  const vector = new Float32Array(sums.length);
  if (square === 0) {
    vector[0] = 1;
    return vector;
  }
  const length = Math.sqrt(square);
  for (let i = 0; i < sums.length; i++) vector[i] = (sums[i] ?? 0) / length;
  return vector;
}
