import { defaultModels } from '../../src/models/defaults.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import type { VllmOptions } from '../fakes/vllm.ts';
import { type Upstream, openUpstream } from './upstream.ts';

/** The service with its nine chat models on a scripted model server. */
export interface House extends Service {
  readonly upstream: Upstream;
}

export interface HouseOptions extends Omit<ServiceOptions, 'config'> {
  /** Further entries of the configuration; given the address of the model server. */
  readonly config?: (upstream: Upstream) => Record<string, unknown>;
  /** Settings of the engine, its time limits for example. */
  readonly engine?: Record<string, unknown>;
  /** How its fake of vLLM is set up. */
  readonly vllm?: VllmOptions;
  /** Catalogue entries beside, or fields over, the nine models. */
  readonly models?: Record<string, Record<string, unknown>>;
}

/** Names of models at their server: their own, or those that their bindings give. */
const servedNames = (models: Record<string, Record<string, unknown>>) =>
  Object.entries(models).flatMap(([id, { engines = [] }]) =>
    (engines as { readonly model?: string }[]).map(({ model }) => model ?? id),
  );

/** Starts both. `close` ends both. */
export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const ids = Object.keys(defaultModels);
  const upstream = await openUpstream([...ids, ...servedNames(options.models ?? {})], options.vllm);
  const bound = Object.fromEntries(ids.map((id) => [id, { engines: [{ engine: 'fake' }], ...options.models?.[id] }]));
  const { config, engine, models, vllm: _, ...rest } = options;
  const service = await startService({
    ...rest,
    config: {
      engines: { fake: { kind: 'openai', addresses: [upstream.url], ...engine } },
      models: { ...models, ...bound },
      ...config?.(upstream),
    },
  });
  return {
    ...service,
    upstream,
    async close() {
      await service.close();
      await upstream.close();
    },
  };
}

let shared: Promise<House> | null = null;

/**
 * The house that the files of a worker share, for those that only call: without limits, with a few more models. `close` forgets what
 * its model server was told to play; it ends with the worker.
 */
export async function openSharedHouse(): Promise<House> {
  const house = await (shared ??= openHouse({
    config: () => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      network: { allow: ['example.kr'] },
    }),
    models: {
      // Thoughts stand in tags, between its content.
      tags: {
        engines: [{ engine: 'fake' }],
        reasoning: { default: 'on', keys: ['reasoning_content'], format: 'tags' },
      },
      small: { engines: [{ engine: 'fake' }], context_length: 1024 },
    },
  }));
  house.upstream.reset();
  return { ...house, close: () => Promise.resolve(house.upstream.reset()) };
}
