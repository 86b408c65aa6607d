import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as LlamaPackage from 'node-llama-cpp';
import type { NativeBindings } from './native.ts';
import { LoadFailure, mayUseGpu } from './settings.ts';

/** llama.cpp, loaded into this process. */
export interface Runtime {
  readonly bindings: NativeBindings;
  /** Type of GPU in use. */
  readonly gpu: string | false;
  /** Layers to give to the GPU. */
  readonly gpuLayers: number;
  /** Header of a GGUF file. Throws what the reader throws. */
  readHeader(path: string): Promise<GgufHeader>;
}

/** The header of a GGUF file, as far as it is used here. */
export interface GgufHeader {
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface RuntimeOptions {
  readonly gpu: string | number | boolean;
  readonly runtimeDir: string | null;
  readonly log: (level: Level, message: string) => void;
}

/** As many layers as any model has. */
const ALL_LAYERS = 1_000;

const levels: Readonly<Record<string, Level>> = { fatal: 'error', error: 'error', warn: 'warn' };

function choiceOf({ gpu, runtimeDir }: Pick<RuntimeOptions, 'gpu' | 'runtimeDir'>): {
  gpu: string | false;
  layers: number;
} {
  if (!mayUseGpu({ gpu, runtimeDir })) return { gpu: false, layers: 0 };
  if (typeof gpu === 'number') return { gpu: 'auto', layers: gpu };
  return { gpu: typeof gpu === 'string' ? gpu : 'auto', layers: ALL_LAYERS };
}

type Package = Pick<typeof LlamaPackage, 'getLlama' | 'readGgufFileInfo'>;

function importFrom(runtimeDir: string | null): Promise<Package> {
  if (runtimeDir === null) return import('node-llama-cpp');
  const path = createRequire(join(runtimeDir, 'package.json')).resolve('node-llama-cpp');
  return import(pathToFileURL(path).href) as Promise<Package>;
}

/** The package's module that starts one more process to see whether the binary can be loaded. */
const BINARY_TEST = /\/node-llama-cpp\/dist\/bindings\/utils\/testBindingBinary\.js$/;

/**
 * Imports the package such that it loads its binary without that. With a GPU the test decides which binary is used; without one there
 * is one alone, and this process is one that may end with it.
 */
async function importWithoutBinaryTest(runtimeDir: string | null): Promise<Package> {
  const hooks = registerHooks({
    load: (url, context, next) =>
      BINARY_TEST.test(url)
        ? { format: 'module', shortCircuit: true, source: 'export const testBindingBinary = async () => true;' }
        : next(url, context),
  });
  try {
    return await importFrom(runtimeDir);
  } finally {
    hooks.deregister();
  }
}

/** Loads llama.cpp. Throws a LoadFailure of kind `runtime`. */
export async function openRuntime({ gpu, runtimeDir, log }: RuntimeOptions): Promise<Runtime> {
  try {
    const choice = choiceOf({ gpu, runtimeDir });
    const { getLlama, readGgufFileInfo } = await (choice.gpu === false ? importWithoutBinaryTest : importFrom)(
      runtimeDir,
    );
    const llama = await getLlama({
      gpu: choice.gpu as 'auto',
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logger: (level, message) => log(levels[level] ?? 'debug', message),
    });
    return {
      bindings: (llama as unknown as { _bindings: NativeBindings })._bindings,
      gpu: llama.gpu,
      gpuLayers: llama.gpu === false ? 0 : choice.layers,
      readHeader: async (path) => {
        const { metadata } = await readGgufFileInfo(path, {
          sourceType: 'filesystem',
          readTensorInfo: false,
          logWarnings: false,
          ignoreKeys: ['tokenizer.ggml.merges', 'tokenizer.ggml.scores', 'tokenizer.ggml.token_type'],
        });
        return { metadata: metadata as unknown as Record<string, unknown> };
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LoadFailure('runtime', `llama.cpp could not be started: ${why}`, error);
  }
}
