import { type Lane, type LaneRequest, type Lanes, createLanes } from './lanes.ts';
import type { LoadedModel } from './model.ts';
import type { NativeContext } from './native.ts';
import type { Priority } from './turns.ts';

/** Makes one vector of each text. */
export interface PooledContext {
  /**
   * The native vectors in the order of the texts: embeddings, or the scores of a reranker. Texts of several requests take
   * turns, the more urgent first. Rejects before the next text once the signal is aborted.
   */
  run(texts: readonly Uint32Array[], signal: AbortSignal, priority: Priority): Promise<Float64Array[]>;
  readonly contexts: readonly NativeContext[];
  stop(): Promise<void>;
}

export interface PooledOptions {
  readonly model: LoadedModel;
  readonly contextLength: number;
  readonly ranking: boolean;
  /** How the file or the settings pool. Source: llama.h, `enum llama_pooling_type`. */
  readonly poolingType: number;
  /** Tokens of a step, where the model can read a text in steps. */
  readonly batch: number;
  /** Threads of the wide lane. */
  readonly threads: number;
  /** Texts that are read side by side. */
  readonly lanes: number;
  /** Layers are on a GPU, which reads one text as fast as it can by itself. */
  readonly onGpu: boolean;
  readonly onActivity: (busy: number) => void;
}

const POOLING_NONE = 0;
const POOLING_LAST = 3;

/** Texts up to so many tokens are read side by side, each by few threads. */
const NARROW_TOKENS = 512;
/** Bytes of weights times tokens from which a text that is alone is worth all threads: some milliseconds of one. */
const HEAVY_WORK = 100_000_000;

const allIndexes = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => i);

/**
 * The runtime gives the vector of one sequence of a step only (its getEmbedding reads sequence 0), so that texts cannot share a step; on a
 * processor they would gain nothing from 64 tokens on. Short ones are read side by side instead, in contexts of few threads: where
 * threads wait for each other after each of a model's many small operations, one text took 36 times as long with three threads as with one.
 */
async function openLanes(options: PooledOptions, step: number) {
  const { model, contextLength, ranking, threads, lanes, onGpu } = options;
  const open = async (size: number, laneThreads: number): Promise<Lane> => ({
    size,
    context: await model.createContext({
      contextSize: size,
      batchSize: Math.min(step, size),
      sequences: 1,
      threads: laneThreads,
      embeddings: true,
      ranking,
    }),
  });
  const wide = await open(contextLength, threads);
  const narrow: Lane[] = [];
  const count = onGpu || lanes < 2 ? 0 : lanes;
  const size = Math.min(NARROW_TOKENS, contextLength);
  while (narrow.length < count) {
    const lane = await open(size, Math.max(1, Math.floor(threads / count))).catch(() => null);
    // What memory there is serves with fewer of them, or none, too.
    if (!lane) break;
    narrow.push(lane);
  }
  return { wide, narrow };
}

export async function createPooledContext(options: PooledOptions): Promise<PooledContext> {
  const { model, contextLength, ranking, poolingType, batch, onActivity } = options;
  // Only what ends in the last token can be read in steps: all else needs the whole text at once.
  const inSteps = model.facts.causal && !ranking && (poolingType === POOLING_LAST || poolingType === POOLING_NONE);
  const step = inSteps ? Math.min(batch, contextLength) : contextLength;
  const { wide, narrow } = await openLanes(options, step);
  const heavyTokens = HEAVY_WORK / Math.max(1, model.bytes);
  const lanes: Lanes = createLanes({ wide, narrow, heavyTokens });
  const atOnce = Math.max(1, narrow.length);
  let busy = 0;
  let stopped = false;

  const evaluate = async (context: NativeContext, tokens: Uint32Array, signal: AbortSignal): Promise<Float64Array> => {
    for (let from = 0; from < tokens.length; from += step) {
      signal.throwIfAborted();
      if (stopped) throw new Error('The model is being unloaded');
      const part = tokens.subarray(from, from + step);
      context.initBatch(part.length);
      context.addToBatch(0, from, part, allIndexes(part.length));
      await context.decodeBatch();
    }
    return context.getEmbedding(tokens.length);
  };

  const embedOne = async (
    tokens: Uint32Array,
    request: Pick<LaneRequest, 'inBatch' | 'priority'>,
    signal: AbortSignal,
  ): Promise<Float64Array> => {
    const lane = await lanes.acquire({ tokens: tokens.length, ...request });
    try {
      return await evaluate(lane.context, tokens, signal);
    } finally {
      lane.context.disposeSequence(0);
      lanes.release(lane);
    }
  };

  /** As many texts at a time as there are lanes, and no more: so requests take turns. */
  const embedAll = async (
    texts: readonly Uint32Array[],
    signal: AbortSignal,
    priority: Priority,
  ): Promise<Float64Array[]> => {
    const request = { inBatch: texts.length > 1, priority };
    const vectors: Float64Array[] = [];
    let next = 0;
    let failed = false;
    const work = async () => {
      for (let i = next++; i < texts.length && !failed; i = next++) {
        const tokens = texts[i] ?? new Uint32Array(0);
        try {
          vectors[i] = await embedOne(tokens, request, signal);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, texts.length) }, work));
    return vectors;
  };

  return {
    contexts: [wide, ...narrow].map(({ context }) => context),
    async run(texts, signal, priority) {
      onActivity(++busy);
      try {
        return await embedAll(texts, signal, priority);
      } finally {
        onActivity(--busy);
      }
    },
    stop() {
      stopped = true;
      return lanes.stop();
    },
  };
}
