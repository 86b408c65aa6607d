import { type Chat, createChat } from './chat.ts';
import { createChatFormat } from './create-chat-format.ts';
import { createEmbeddings } from './embeddings.ts';
import type { Endpoints } from './http.ts';
import { type LoadedModel, poolingOver, poolingTypes } from './model.ts';
import type { NativeContext } from './native.ts';
import { createPooledContext } from './pooled.ts';
import { createRerank } from './rerank.ts';
import type { Runtime } from './runtime.ts';
import { createTokenize } from './tokenize.ts';
import { PREFILL_SLICE, createScheduler } from './scheduler.ts';
import type { ChildSettings, ReadyInfo } from './settings.ts';

/** A model at work. */
export interface Serving {
  readonly endpoints: Endpoints;
  readonly info: ReadyInfo;
  stop(): Promise<void>;
}

export interface ServingOptions {
  readonly settings: ChildSettings;
  readonly runtime: Runtime;
  readonly model: LoadedModel;
  readonly onActivity: (busy: number) => void;
}

const DEFAULT_BATCH = 512;
/** Source: llama.h, `enum llama_pooling_type`. */
const RANK = 4;

/** Source: measured (bench/llama): with sizes between the multiples of 16 a token of a reply takes 14.1 ms where it takes 12.2 with others. */
const BATCH_STEP = 32;

/** Tokens of a step: a slice of prompts with one token of each reply, rounded up to what the runtime computes fast with. */
export const batchSizeOf = (slice: number, parallel: number): number =>
  Math.ceil((slice + parallel) / BATCH_STEP) * BATCH_STEP;

const modelList = (id: string, contextLength: number): string =>
  JSON.stringify({
    object: 'list',
    data: [{ id, object: 'model', created: 0, owned_by: 'ai-studio', max_model_len: contextLength }],
  });

/** Bytes of weights and contexts, wherever they lie. */
function memoryOf(model: LoadedModel, contexts: readonly NativeContext[]): number {
  const parts = [model.native, ...contexts].map((holder) => holder.getMemoryBreakdown());
  return parts.reduce((sum, { cpuRam, gpuVram }) => sum + cpuRam + gpuVram, 0);
}

interface Common {
  readonly options: ServingOptions;
  readonly contextLength: number;
  readonly info: Omit<ReadyInfo, 'family' | 'tools' | 'thinking' | 'memoryBytes'>;
  readonly models: string;
}

async function serveChat({ options, contextLength, info, models }: Common): Promise<Serving> {
  const { settings, runtime, model, onActivity } = options;
  const { facts, vocabulary } = model;
  const batch = Math.max(settings.batch ?? DEFAULT_BATCH, PREFILL_SLICE);
  const dialogue = createChatFormat(facts, vocabulary.controls);
  const context = await model.createContext({
    contextSize: contextLength * settings.parallel,
    batchSize: batchSizeOf(batch, settings.parallel),
    sequences: settings.parallel,
    ...(settings.swaFullCache === true ? { swaFullCache: true } : {}),
  });
  const scheduler = createScheduler({
    context,
    parallel: settings.parallel,
    contextLength,
    slidingWindow: settings.swaFullCache === true ? null : facts.slidingWindow,
    maxQueue: settings.maxQueue,
    batch,
    onActivity,
  });
  const { modelId } = settings;
  const { bindings } = runtime;
  const chat: Chat = createChat({ modelId, bindings, model, context, contextLength, dialogue, scheduler });
  const { family, tools, thinking } = dialogue;
  return {
    endpoints: { chat, models, tokens: createTokenize({ dialogue, vocabulary, contextLength }) },
    info: { ...info, family, tools, thinking, memoryBytes: memoryOf(model, [context]) },
    stop: () => scheduler.stop(),
  };
}

async function servePooled({ options, contextLength, info, models }: Common): Promise<Serving> {
  const { settings, runtime, model, onActivity } = options;
  const { facts, vocabulary } = model;
  const { modelId, kind, normalize = true } = settings;
  const pooling = poolingOver(settings, facts);
  const ranking = kind === 'rerank';
  const pooled = await createPooledContext({
    model,
    contextLength,
    ranking,
    poolingType: ranking ? RANK : pooling ? poolingTypes[pooling] : (facts.poolingType ?? 0),
    batch: settings.batch ?? DEFAULT_BATCH,
    threads: settings.threads,
    lanes: settings.lanes ?? settings.threads,
    onGpu: runtime.gpu !== false,
    onActivity,
  });
  const shared = { modelId, vocabulary, contextLength, pooled };
  return {
    endpoints: ranking
      ? { rerank: createRerank({ ...shared, facts }), models }
      : {
          embeddings: createEmbeddings({ ...shared, dimensions: info.dimensions, normalize }),
          tokens: createTokenize({ dialogue: null, vocabulary, contextLength }),
          models,
        },
    info: { ...info, family: null, tools: false, thinking: 'none', memoryBytes: memoryOf(model, pooled.contexts) },
    stop: () => pooled.stop(),
  };
}

/** Makes the contexts of a loaded model and what answers requests. Throws a LoadFailure. */
export function startServing(options: ServingOptions): Promise<Serving> {
  const { settings, runtime, model } = options;
  const { facts, trainContextLength } = model;
  // Beyond its training an encoder has no positions at all.
  const contextLength = facts.causal ? settings.contextLength : Math.min(settings.contextLength, trainContextLength);
  const info = {
    architecture: facts.architecture,
    contextLength,
    trainContextLength,
    parallel: settings.parallel,
    dimensions: model.native.getEmbeddingVectorSize(),
    gpu: runtime.gpu,
  };
  const common: Common = { options, contextLength, info, models: modelList(settings.modelId, contextLength) };
  return settings.kind === 'chat' ? serveChat(common) : servePooled(common);
}
