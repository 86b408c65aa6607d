import { EngineError, type TooLong } from '../../ports/engine.ts';
import { type EmbeddingChoice, measureByModel } from '../embedding.ts';
import type { ModelCall } from '../../inference/index.ts';
import type { RetrievalDeps } from '../deps.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
import { CONTEXT_TOKENS, embeddedText, PATH_CHARACTERS } from '../texts/embedded-text.ts';
import type { ChunkCap, CutChunk, CutResult } from '../texts/index.ts';
import type { CutSettings } from '../texts/tasks.ts';

// Chunks that the embedding model reads whole: they are cut by the tokenizer of this service, which other models do not have. Where the
// engine counts tokens, its count decides; else an estimate does, which a refusal corrects.

/** What refusals of a model told. */
interface Learned {
  /** Tokens of a text that it reads; null where none told. */
  readonly maxTokens: number | null;
  /** Its tokens for each of ours, at most as far as is known. */
  readonly ratio: number;
  /** Whether it refused a chunk: what its engine counts is not believed alone then. */
  readonly refused: boolean;
}

/** Keeps what refusals told of embedding models, for this process. */
export interface LearnedLengths {
  of(model: string): Learned;
  /** `tokens`: of the refused text, by our tokenizer. */
  note(model: string, tooLong: TooLong, tokens: number): void;
}

/** Of models that nobody can ask: words of Korean and English are a fifth more tokens to the usual multilingual ones. */
const ESTIMATED_RATIO = 1.25;
/** By how much the ratio grows where a refusal names no length. */
const UNTOLD_GROWTH = 1.5;
const MAX_RATIO = 8;

export function createLearnedLengths(): LearnedLengths {
  const known = new Map<string, Learned>();
  const of = (model: string) => known.get(model) ?? { maxTokens: null, ratio: ESTIMATED_RATIO, refused: false };
  return {
    of,
    note(model, { given, limit }, tokens) {
      const before = of(model);
      // A server that cuts without a word counts what it kept: then the limit is all that is learnt.
      const told = given === null || given === limit ? 0 : given / Math.max(1, tokens);
      // One that refuses again what was cut by the estimate has more tokens than that, whatever it says.
      const grown =
        told === 0 || (before.refused && told <= before.ratio) ? before.ratio * UNTOLD_GROWTH : before.ratio;
      const ratio = Math.min(MAX_RATIO, Math.max(grown, told));
      known.set(model, { maxTokens: limit ?? before.maxTokens, ratio, refused: true });
    },
  };
}

/** Special tokens that a model puts around a text, at most. */
const SPECIAL_TOKENS = 4;
/** Where more of the chunks than this do not fit, all are cut anew; else those alone. */
const FEW = 0.05;
/** Rounds in which chunks that do not fit are split. */
const MAX_SPLITS = 6;
/** What is left of a chunk that is split by an estimate of its tokens. */
const SPLIT_MARGIN = 0.95;

/** Characters of the titles before a passage of a model that reads so many tokens. */
export const pathLengthFor = (maxTokens: number | null): number =>
  maxTokens === null ? PATH_CHARACTERS : Math.min(PATH_CHARACTERS, Math.floor(maxTokens / 2));

/** Tokens that are left for a passage beside the special ones and the words before it. */
const roomOf = (maxTokens: number, { prefixes: { passage } }: EmbeddingChoice) =>
  maxTokens - SPECIAL_TOKENS - Math.ceil(passage.length / 2);

/** What chunks may be for a model that reads so many tokens and has `ratio` of them for each of ours. */
export const capFor = (maxTokens: number, embedding: EmbeddingChoice, ratio: number): ChunkCap => ({
  maxTokens: Math.max(1, Math.floor(roomOf(maxTokens, embedding) / ratio)),
  pathLength: pathLengthFor(maxTokens),
});

export interface FittingCut {
  readonly packed: Uint8Array;
  readonly how: CutSettings;
  readonly embedding: EmbeddingChoice;
  readonly signal: AbortSignal;
}

/** Tokens that the model of a collection reads; null where nobody says, or nobody can be asked and nothing is known. */
export async function readableTokens(
  deps: RetrievalDeps,
  call: ModelCall,
  embedding: EmbeddingChoice,
  learned: LearnedLengths,
): Promise<number | null> {
  if (embedding.model === LEXICAL_MODEL) return null;
  const own = learned.of(embedding.model).maxTokens;
  try {
    const { maxTokens } = await measureByModel(deps, call, embedding, []);
    return own === null || maxTokens === null ? (own ?? maxTokens) : Math.min(own, maxTokens);
  } catch (error) {
    // Documents are cut while their model is away; should it refuse them later, they are cut anew.
    if (error instanceof EngineError && error.kind === 'unavailable') return own;
    throw error;
  }
}

/** Cuts a document into chunks that its embedding model reads whole, as far as can be known. Rejects as `texts.do`, and with EngineError. */
export async function cutToFit(
  deps: RetrievalDeps,
  call: ModelCall,
  { packed, how, embedding, signal }: FittingCut,
  learned: LearnedLengths,
): Promise<CutResult> {
  const cutWith = (cap: ChunkCap | null) => deps.texts.do({ type: 'cut', packed, how, cap }, { signal });
  const readable = await readableTokens(deps, call, embedding, learned);
  if (readable === null) return cutWith(null);
  // What a model says of a passage has room before it.
  const limit = how.context_model == null ? readable : Math.max(Math.ceil(readable / 2), readable - CONTEXT_TOKENS);
  const pathLength = pathLengthFor(limit);
  const textOf = (chunk: CutChunk) => embeddedText(chunk, pathLength);
  const room = roomOf(limit, embedding);
  const cutBy = (by: number) => cutWith(capFor(limit, embedding, by));
  /** Tokens of chunks by the model; those that are surely short count as none. Null where it does not count. */
  const count = async (chunks: readonly CutChunk[]) => {
    const long = chunks.filter((chunk) => Buffer.byteLength(textOf(chunk)) > room);
    if (long.length === 0) return new Map<CutChunk, number>();
    const { counts } = await measureByModel(deps, call, embedding, long.map(textOf)).catch(() => ({ counts: null }));
    return counts === null ? null : new Map(long.map((chunk, at) => [chunk, counts[at] ?? 0]));
  };
  const { ratio, refused } = learned.of(embedding.model);
  let result = await cutBy(refused ? ratio : 1);
  let counts = await count(result.chunks);
  if (counts === null) return refused ? result : cutBy(ratio);
  const isLong = (chunk: CutChunk) => (counts?.get(chunk) ?? 0) > limit;
  if (result.chunks.filter(isLong).length > result.chunks.length * FEW) {
    const ratios = [...counts].map(([{ tokens }, own]) => own / Math.max(1, tokens)).sort((a, b) => a - b);
    result = await cutBy(Math.max(1, ratios[Math.floor((ratios.length - 1) * (1 - FEW))] ?? 1));
    counts = await count(result.chunks);
  }
  for (let round = 0; round < MAX_SPLITS && counts !== null && result.chunks.some(isLong); round++) {
    result = { ...result, chunks: await splitLong(result.chunks, counts) };
    counts = await count(result.chunks);
  }
  return result;

  async function splitLong(chunks: readonly CutChunk[], own: ReadonlyMap<CutChunk, number>): Promise<CutChunk[]> {
    const long = chunks.filter((chunk) => (own.get(chunk) ?? 0) > limit);
    const passages = long.map((chunk) => {
      const share = (room / (own.get(chunk) ?? room)) * SPLIT_MARGIN;
      return { content: chunk.content, maxTokens: Math.floor(chunk.tokens * share) };
    });
    const parts = await deps.texts.do({ type: 'split', passages }, { signal });
    const split = new Map(long.map((chunk, at) => [chunk, parts[at] ?? []]));
    return chunks.flatMap((chunk) =>
      (split.get(chunk) ?? [{ text: chunk.content, tokens: chunk.tokens }]).map(({ text, tokens }) => ({
        ...chunk,
        content: text,
        tokens,
      })),
    );
  }
}
