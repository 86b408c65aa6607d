import { open, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type ModelFacts, readFacts } from './header.ts';
import type { ContextParams, NativeContext, NativeModel } from './native.ts';
import type { Runtime } from './runtime.ts';
import { type ChildSettings, LoadFailure, type Pooling } from './settings.ts';
import { type Vocabulary, createVocabulary } from './tokens.ts';

/** A model in memory. */
export interface LoadedModel {
  readonly facts: ModelFacts;
  readonly vocabulary: Vocabulary;
  readonly native: NativeModel;
  /** Size of the file. */
  readonly bytes: number;
  readonly trainContextLength: number;
  /** Makes a context: the memory of its sequences. Throws a LoadFailure of kind `memory`. */
  createContext(
    params: Omit<ContextParams, 'threads' | 'flashAttention'> & { threads?: number },
  ): Promise<NativeContext>;
}

export interface LoadOptions {
  readonly runtime: Runtime;
  readonly settings: ChildSettings;
  readonly onProgress: (fraction: number) => void;
  /** Errors that llama.cpp logged so far, a line each. */
  readonly nativeErrors: () => string;
}

/** Source: llama.h, `enum llama_pooling_type`. */
export const poolingTypes: Readonly<Record<Pooling, number>> = { mean: 1, cls: 2, last: 3 };

/** The pooling that an embedding model is given in place of what its file says; null where the file counts. */
export function poolingOver(
  { kind, pooling = null, assumedPooling = null }: Pick<ChildSettings, 'kind' | 'pooling' | 'assumedPooling'>,
  { poolingType, causal }: Pick<ModelFacts, 'poolingType' | 'causal'>,
): Pooling | null {
  if (kind !== 'embedding') return null;
  if (pooling !== null) return pooling;
  // Without pooling a vector would be that of the last token, whatever the model was trained for.
  const isSaid = poolingType !== null && poolingType !== 0;
  return isSaid ? null : (assumedPooling ?? (causal ? 'last' : 'mean'));
}

async function checkFile(path: string): Promise<number> {
  try {
    const { size } = await stat(path);
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
      // Source: the GGUF specification, "File structure".
      if (bytesRead < 4 || buffer.toString('latin1') !== 'GGUF') {
        throw new LoadFailure('corrupt', 'The file is not a GGUF file.');
      }
    } finally {
      await file.close();
    }
    return size;
  } catch (error) {
    if (error instanceof LoadFailure) throw error;
    throw new LoadFailure('absent', 'The file is not there or cannot be read.', error);
  }
}

async function readModelFacts({ runtime, settings }: LoadOptions): Promise<ModelFacts> {
  let facts: ModelFacts | null;
  try {
    facts = readFacts((await runtime.readHeader(settings.modelPath)).metadata);
  } catch (error) {
    throw new LoadFailure('corrupt', 'The header of the file is damaged or cut off.', error);
  }
  if (!facts) throw new LoadFailure('corrupt', 'The file names no architecture.');
  if (!runtime.bindings.getIsArchSupported(facts.architecture)) {
    throw new LoadFailure('architecture', `This llama.cpp does not know the architecture "${facts.architecture}".`);
  }
  if (facts.vocabulary.size === 0) throw new LoadFailure('corrupt', 'The file holds no vocabulary.');
  return facts;
}

const inGiB = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/** Refuses what cannot fit: without this the kernel would end the process while it loads, or the machine would page without end. */
function checkMemory(bytes: number, facts: ModelFacts, { runtime, settings }: LoadOptions): void {
  if (runtime.gpu !== false) return;
  // Layers with a sliding window hold less; how much less only llama.cpp knows.
  const perToken = facts.slidingWindow === null ? facts.tokenBytes : 0;
  const needed = bytes + perToken * settings.contextLength * settings.parallel;
  const available = process.availableMemory();
  if (needed <= available) return;
  throw new LoadFailure(
    'memory',
    `It needs about ${inGiB(needed)} of memory (${inGiB(bytes)} for the weights) and ${inGiB(available)} are free.`,
  );
}

/** The reason of a failed load in the log. Source: llama.cpp, src/llama.cpp, llama_model_load. */
const REASON = /error loading model: (.*)/;
/** llama.cpp logs asynchronously: the lines about a failure arrive a moment after it. */
const LOG_DELAY_MS = 500;
const POLL_MS = 5;

async function waitForLoadErrors(nativeErrors: () => string): Promise<string> {
  for (let ms = 0; ms < LOG_DELAY_MS && !REASON.test(nativeErrors()); ms += POLL_MS) await wait(POLL_MS);
  return nativeErrors();
}

function reasonOf(nativeErrors: string): string {
  // Paths of the machine and names of functions are none of the callers' business.
  const reason = (REASON.exec(nativeErrors)?.[1] ?? '').replace(/ from \/.*/, '').replace(/^\w+: /, '');
  return reason === '' || reason === 'failed to load model' ? 'llama.cpp could not read all of it' : reason;
}

/** Why llama.cpp could not load a model, by the errors that it logged. */
export function failureOf(nativeErrors: string): LoadFailure {
  if (/unknown model architecture|unknown pre-?tokenizer/i.test(nativeErrors)) {
    return new LoadFailure('architecture', `This llama.cpp cannot read the model: ${reasonOf(nativeErrors)}.`);
  }
  if (/alloc|out of memory|mmap failed/i.test(nativeErrors)) {
    return new LoadFailure('memory', 'There is not enough memory for the weights.');
  }
  return new LoadFailure('corrupt', `The file is damaged or not complete: ${reasonOf(nativeErrors)}.`);
}

function createNative(facts: ModelFacts, { runtime, settings, onProgress }: LoadOptions): NativeModel {
  const { bindings, gpuLayers } = runtime;
  const pooling = poolingOver(settings, facts);
  return new bindings.AddonModel(settings.modelPath, {
    addonExports: bindings,
    gpuLayers,
    useMmap: bindings.getSupportsMmap(),
    onLoadProgress: onProgress,
    ...(pooling === null
      ? {}
      : { overridesList: [[`${facts.architecture}.pooling_type`, poolingTypes[pooling], 0] as [string, number, 0]] }),
  });
}

/** Loads the weights. Throws a LoadFailure. */
export async function loadModel(options: LoadOptions): Promise<LoadedModel> {
  const { runtime, settings, nativeErrors } = options;
  const bytes = await checkFile(settings.modelPath);
  const facts = await readModelFacts(options);
  checkMemory(bytes, facts, options);
  const native = createNative(facts, options);
  let loaded: boolean;
  try {
    loaded = await native.init();
  } catch (error) {
    throw failureOf(
      `${await waitForLoadErrors(nativeErrors)}${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!loaded) throw failureOf(await waitForLoadErrors(nativeErrors));
  return {
    facts,
    native,
    bytes,
    vocabulary: createVocabulary(native, facts.vocabulary),
    trainContextLength: native.getTrainContextSize(),
    createContext: async (params) => {
      const full: ContextParams = { threads: settings.threads, ...params, flashAttention: 'auto' };
      const context = new runtime.bindings.AddonContext(native, full);
      const made = await context.init().catch(() => false);
      if (!made) {
        throw new LoadFailure(
          'memory',
          `There is not enough memory for a context of ${params.sequences} × ${params.contextSize / params.sequences} tokens.`,
        );
      }
      return context;
    },
  };
}
