import type { ServerSettings } from '../child/settings.ts';
import type { Machine } from './machine.ts';

/** What is known of a model's file before it is loaded. */
export interface ModelFile {
  /** Name that requests call it by. */
  readonly id: string;
  readonly path: string;
  readonly kind: 'chat' | 'embedding' | 'rerank';
  readonly bytes: number;
  /** Changes with the content: a failed load is tried anew. */
  readonly fingerprint: string;
  /** Context that the model was trained with, in tokens; null where the file does not say. */
  readonly trainContext: number | null;
  /** Memory that one token of the context takes, in bytes; null where the file does not say. */
  readonly tokenBytes: number | null;
  /** What runs it in place of the bundled runtime. */
  readonly server?: ServerSettings | null;
}

/** What the configuration says of local models; null leaves a value to the machine. */
export interface LocalSettings {
  readonly memoryBudgetBytes: number;
  readonly threads: number | null;
  readonly contextLength: number | null;
  readonly parallel: number | null;
}

/** How a model is loaded. */
export interface LoadPlan {
  readonly threads: number;
  /** Texts that an embedder or a reranker reads side by side, each by its share of the cores. */
  readonly lanes: number;
  /** Tokens of prompt and reply together, of each request. */
  readonly contextLength: number;
  /** Requests that are worked on at one time. */
  readonly parallel: number;
  /** Memory that it takes as far as can be told before. */
  readonly bytes: number;
}

/** Longer contexts are for those who ask for them: each takes memory whether it is used or not. */
const DEFAULT_CONTEXT = 32_768;
/** Beyond this an embedder or a reranker gains nothing. */
const DEFAULT_TEXT_CONTEXT = 8_192;
const DEFAULT_PARALLEL = 4;
const MIN_CONTEXT = 2_048;
/** Where the file does not say what it was trained with. */
const UNKNOWN_CONTEXT = 4_096;
/** Share of the memory beside the weights that the context of one model takes by itself. */
const CONTEXT_SHARE = 0.5;
/** Working memory of a process with a model, beside weights and context. */
const OVERHEAD_BYTES = 96 * 1024 * 1024;
/** Where the file does not say: models with grouped attention take about this part of their size for a token. */
const UNKNOWN_TOKEN_SHARE = 1 / 40_000;

/** A thread with fewer weights than this spends its time waiting for the others after each operation. */
const BYTES_PER_THREAD = 32 * 1024 * 1024;

/** One core is left to the service, so that it answers while a model is at work; small models have fewer threads. */
const threadsOf = ({ bytes }: ModelFile, { cores }: Machine): number =>
  Math.max(1, Math.min(cores - 1, Math.ceil(bytes / BYTES_PER_THREAD)));

/** Native calls that run at one time. Source: libuv, its default number of threads. */
const MAX_LANES = 4;

/**
 * Texts side by side: as many as there are cores, none of which waits for another. Where the configuration gives fewer threads, as many
 * as those.
 */
const lanesOf = ({ kind }: ModelFile, { threads }: LocalSettings, { cores }: Machine): number =>
  kind === 'chat' ? 0 : Math.max(1, Math.min(MAX_LANES, threads ?? cores));

/**
 * Threads, context and parallel requests of a model: what the configuration says, else what the model was trained with
 * as far as there is memory for it. Context is given up before the second of two parallel requests.
 */
export function planLoad(file: ModelFile, settings: LocalSettings, machine: Machine): LoadPlan {
  const tokenBytes = file.tokenBytes ?? file.bytes * UNKNOWN_TOKEN_SHARE;
  const defaultContext = file.kind === 'chat' ? DEFAULT_CONTEXT : DEFAULT_TEXT_CONTEXT;
  const trained = file.trainContext ?? UNKNOWN_CONTEXT;
  const weights = file.bytes + OVERHEAD_BYTES;
  const free = Math.max(0, settings.memoryBudgetBytes - weights) * CONTEXT_SHARE;
  let contextLength = settings.contextLength ?? Math.min(trained, defaultContext);
  // Texts for vectors and scores take turns.
  const configured = file.kind === 'chat' ? settings.parallel : 1;
  let parallel = configured ?? DEFAULT_PARALLEL;
  const exceedsMemory = () => contextLength * parallel * tokenBytes > free;
  while (configured === null && parallel > 2 && exceedsMemory()) parallel--;
  while (settings.contextLength === null && contextLength / 2 >= MIN_CONTEXT && exceedsMemory()) {
    contextLength = Math.floor(contextLength / 2);
  }
  while (configured === null && parallel > 1 && exceedsMemory()) parallel--;
  return {
    threads: settings.threads ?? threadsOf(file, machine),
    lanes: lanesOf(file, settings, machine),
    contextLength,
    parallel,
    bytes: Math.ceil(weights + contextLength * parallel * tokenBytes),
  };
}
