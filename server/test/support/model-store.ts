import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ggufBytes } from '@ai-studio/llama-runtime/test/gguf/writer.ts';
import { GgufError, readGgufFileSize } from '@ai-studio/llama-runtime';
import { silent } from './postgres.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../../src/models/catalogue.ts';
import type { LocalBinding, LocalEmbedder } from '../../src/models/local.ts';
import type { Extent } from '../../src/weights/folder.ts';
import type { EmbedderAccess } from '../../src/weights/local-embedders.ts';
import type { ModelRuntime, RunningModel, TriedEmbedder } from '../../src/weights/runtime.ts';
import type { ModelStoreOptions } from '../../src/weights/model-store.ts';
import { createModelStore } from '../../src/weights/store.ts';

/** Reads where the tensors of a file end, as the service does. */
export async function readExtent(path: string): Promise<Extent> {
  try {
    return { end: await readGgufFileSize(path) };
  } catch (error) {
    if (error instanceof GgufError) return { problem: error.message, cut: error.truncated };
    throw error;
  }
}

/** A small whole GGUF file; other `seed`s have other content of the same size. */
export const modelBytes = (seed = 0): Buffer =>
  ggufBytes(
    { 'general.architecture': { type: 'string', value: 'llama' } },
    { weights: { shape: [256, 4], data: new Float32Array(1024).fill(seed) } },
  );

export function writeModel(folder: string, name: string, seed = 0): string {
  const path = join(folder, name);
  writeFileSync(path, modelBytes(seed));
  return path;
}

/** A runtime without models: a fake, whose state the test sets. */
export function fakeRuntime() {
  const models = new Map<string, RunningModel>();
  const asked: string[] = [];
  return {
    asked,
    set(id: string, phase: RunningModel['phase'], more: Partial<RunningModel> = {}) {
      models.set(id, {
        id,
        phase,
        progress: 1,
        reason: null,
        cause: null,
        memoryBytes: 1,
        requests: 0,
        since: 0,
        ...more,
      });
    },
    state: () => Promise.resolve({ pid: process.pid, models: [...models.values()] }),
    load(id: string) {
      asked.push(`load ${id}`);
      return Promise.resolve();
    },
    unload(id: string, force: boolean) {
      asked.push(`unload ${id}${force ? ' by force' : ''}`);
      if (!force && (models.get(id)?.requests ?? 0) > 0) return Promise.reject(new StudioError('conflict', 'busy'));
      models.delete(id);
      return Promise.resolve();
    },
    tryEmbedder(id: string): Promise<TriedEmbedder> {
      asked.push(`try ${id}`);
      return Promise.resolve({
        id,
        trial: { dimension: 3, norm: 1, maxTokens: 64, prefixSensitive: false },
        problem: null,
      });
    },
  } satisfies ModelRuntime & Record<string, unknown>;
}

/** Bindings in memory. */
export function memoryBindings() {
  const bound = new Map<string, string>();
  return {
    list: () => Promise.resolve([...bound].map(([catalogueId, localId]): LocalBinding => ({ catalogueId, localId }))),
    bind({ catalogueId, localId }: LocalBinding) {
      bound.set(catalogueId, localId);
      return Promise.resolve();
    },
    unbind: (catalogueId: string) => Promise.resolve(bound.delete(catalogueId)),
  };
}

/** Settings of embedding models in memory. */
export function memoryEmbedders(): EmbedderAccess {
  const said = new Map<string, LocalEmbedder>();
  return {
    list: () => Promise.resolve([...said.values()]),
    set(embedder) {
      if (Object.keys(embedder.settings).length === 0) said.delete(embedder.localId);
      else said.set(embedder.localId, embedder);
      return Promise.resolve();
    },
  };
}

/** A catalogue of chat models with these ids; `served` ones by a local model already. */
export function catalogueOf(ids: readonly string[], served: Readonly<Record<string, string>> = {}): Catalogue {
  const all = ids.map((id) => ({
    id,
    kind: 'chat',
    engines: served[id] === undefined ? [{ engine: 'elsewhere' }] : [{ engine: 'llama', model: served[id] }],
  }));
  const list = all as unknown as readonly CatalogueModel[];
  return { list: () => list, get: (id) => list.find((model) => model.id === id) } as Catalogue;
}

/** A store whose other parts are in memory. */
export const openTestStore = (options: Partial<ModelStoreOptions> & Pick<ModelStoreOptions, 'folder'>) =>
  createModelStore({
    mirror: 'http://127.0.0.1:9',
    token: null,
    log: silent,
    pauseMs: 1,
    readExtent,
    describe: () => Promise.resolve(new Map()),
    runtime: fakeRuntime(),
    bindings: memoryBindings(),
    embedders: memoryEmbedders(),
    catalogue: catalogueOf([]),
    pinned: [],
    timeoutMs: 0,
    ...options,
  });
