import type { LoadedModel } from './model.ts';
import type { NativeContext } from './native.ts';

/** Makes one vector of one text at a time. */
export interface PooledContext {
  /** The native vector: an embedding, or the scores of a reranker. Texts of several requests take turns. */
  run(tokens: Uint32Array, signal: AbortSignal): Promise<Float64Array>;
  readonly native: NativeContext;
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
  readonly onActivity: (busy: number) => void;
}

const POOLING_NONE = 0;
const POOLING_LAST = 3;

const allOf = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => i);

export async function createPooledContext(options: PooledOptions): Promise<PooledContext> {
  const { model, contextLength, ranking, poolingType, batch, onActivity } = options;
  // Only what ends in the last token can be read in steps: all else needs the whole text at once.
  const inSteps = model.facts.causal && !ranking && (poolingType === POOLING_LAST || poolingType === POOLING_NONE);
  const step = inSteps ? Math.min(batch, contextLength) : contextLength;
  const context: NativeContext = await model.createContext({
    contextSize: contextLength,
    batchSize: step,
    sequences: 1,
    embeddings: true,
    ranking,
  });
  let turn: Promise<unknown> = Promise.resolve();
  let busy = 0;
  let stopped = false;

  const evaluate = async (tokens: Uint32Array, signal: AbortSignal): Promise<Float64Array> => {
    for (let from = 0; from < tokens.length; from += step) {
      signal.throwIfAborted();
      if (stopped) throw new Error('The model is being unloaded');
      const part = tokens.subarray(from, from + step);
      context.initBatch(part.length);
      context.addToBatch(0, from, part, allOf(part.length));
      await context.decodeBatch();
    }
    return context.getEmbedding(tokens.length);
  };

  const takeTurn = async (tokens: Uint32Array, signal: AbortSignal): Promise<Float64Array> => {
    try {
      return await evaluate(tokens, signal);
    } finally {
      context.disposeSequence(0);
    }
  };

  return {
    native: context,
    async run(tokens, signal) {
      onActivity(++busy);
      const mine = turn.then(() => takeTurn(tokens, signal));
      turn = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        onActivity(--busy);
      }
    },
    async stop() {
      stopped = true;
      await turn;
    },
  };
}
