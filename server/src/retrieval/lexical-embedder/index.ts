import { termsOf } from '../analyzer/terms.ts';
import { wordsOf, type Word } from '../analyzer/words.ts';

// Vectors without a model: hashed pieces of words. Like words lie near each other, not like meanings.

/** Name of the embedding model in the API; nothing else may be called so. */
export const LEXICAL_MODEL = 'lexical';
/** Length of its vectors. */
export const LEXICAL_DIMENSION = 1_024;
/** Weight of such vectors beside words, where nobody chose one. */
export const LEXICAL_ALPHA = 0.3;

/** What pieces of a word count beside its terms: they let slips of the pen and parts of words be found. */
const LETTERS_WEIGHT = 0.35;
const STEM_WEIGHT = 0.5;
/** Longest word that is taken apart. */
const MAX_WORD_LENGTH = 24;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over UTF-16 units, finished as in MurmurHash3, so that every bit of it may be used. Same on every machine. */
function hashOf(text: string): number {
  let h = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Runs of three letters, the edges of the word among them. */
function* trigrams(word: string): Generator<string, undefined> {
  const marked = `<${word.slice(0, MAX_WORD_LENGTH)}>`;
  for (let i = 0; i + 3 <= marked.length; i++) yield marked.slice(i, i + 3);
}

type Pieces = Map<string, { times: number; weight: number }>;

function addPiece(pieces: Pieces, piece: string, weight: number): void {
  const known = pieces.get(piece);
  if (known === undefined) pieces.set(piece, { times: 1, weight });
  else known.times++;
}

function addWord(pieces: Pieces, word: Word): void {
  const { terms, stem } = termsOf(word);
  for (const { text } of terms) addPiece(pieces, text, 1);
  if (stem !== null) addPiece(pieces, `=${stem}`, STEM_WEIGHT);
  if (word.kind !== 'letters' || terms.length === 0) return;
  const weight = LETTERS_WEIGHT / Math.sqrt(Math.min(word.text.length, MAX_WORD_LENGTH));
  for (const piece of trigrams(word.text)) addPiece(pieces, `~${piece}`, weight);
}

/**
 * A vector of length 1. How often a piece stands in the text counts by its logarithm. A text that says nothing has the same
 * vector as any other such text. Pure; time grows with the length of the text alone.
 */
export function embedLexically(text: string): Float32Array {
  const pieces: Pieces = new Map();
  for (const word of wordsOf(text)) addWord(pieces, word);
  const sums = new Float64Array(LEXICAL_DIMENSION);
  for (const [piece, { times, weight }] of pieces) {
    const hash = hashOf(piece);
    // The low bits choose the place and the highest one the sign, so that pieces which meet cancel out on average.
    const place = hash % LEXICAL_DIMENSION;
    sums[place] = (sums[place] ?? 0) + (hash >>> 31 === 1 ? weight : -weight) * (1 + Math.log(times));
  }
  return unit(sums);
}

function unit(sums: Float64Array): Float32Array {
  const square = sums.reduce((sum, value) => sum + value * value, 0);
  const vector = new Float32Array(sums.length);
  if (square === 0) vector[0] = 1;
  else vector.set(sums.map((value) => value / Math.sqrt(square)));
  return vector;
}
