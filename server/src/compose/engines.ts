import cluster from 'node:cluster';
import { openRedisLoads } from '../adapters/distributed/redis-loads.ts';
import { createClusterLoads } from '../adapters/embedded/cluster-loads.ts';
import { createBuiltinEngine } from '../adapters/engines/builtin/index.ts';
import type { ModelHost } from '@ai-studio/llama-runtime';
import { createLlamaEngine } from '../adapters/engines/llama/index.ts';
import { createOpenAiEngine, createServerProbe } from '../adapters/engines/openai/index.ts';
import { type ChatRouter, createRouter, type EngineAddress } from '../inference/index.ts';
import type { Config, EngineEntry } from '../config/index.ts';
import type { ConfiguredEngine } from '../console/index.ts';
import type { Logger } from '../kernel/log.ts';
import { isForbiddenAddress } from '../net-guard/index.ts';
import {
  createServerEngines,
  type OpenEngine,
  type ServerEngines,
  watchDrains,
  type WatchedDrains,
  withoutSecrets,
} from '../model-servers/index.ts';
import type { LiveCatalogue } from '../models/catalogue.ts';
import { withKnownInputs } from '../models/known-inputs.ts';
import { withKnownLengths } from '../models/known-lengths.ts';
import { LOCAL_ENGINE } from '../models/local.ts';
import type { LoadExchange } from '../ports/load-exchange.ts';
import type { ProbeServer } from '../ports/server-probe.ts';
import { isRunByServer } from './model-files.ts';
import type { Base } from './parts.ts';
import type { Data } from './store.ts';

// The part of the composition that makes engines of what the configuration and the console name.

interface OpenOptions {
  readonly connectTimeoutMs: number;
  /** How long a call may wait for a free place. */
  readonly maxWaitMs: number;
  /** Addresses that are never connected to; the operator's own file may name any. */
  readonly isForbidden?: (address: string) => boolean;
  readonly log: Logger;
}

/** Calls that may wait for an address, each with its body in memory. Time limits them first where answers are quick. */
const MAX_WAITING = 1_024;

function openAiAddresses(
  name: string,
  entry: EngineEntry,
  { connectTimeoutMs, maxWaitMs, isForbidden, log }: OpenOptions,
): EngineAddress[] {
  return entry.addresses.map((address, i) => {
    const { url, weight } = typeof address === 'string' ? { url: address, weight: 1 } : address;
    const engine = createOpenAiEngine({
      id: entry.addresses.length === 1 ? name : `${name}/${i}`,
      baseUrl: url,
      apiKey: entry.api_key ?? null,
      headers: entry.headers,
      dialect: entry.dialect,
      extraFields: entry.extra_fields,
      sessionHeader: entry.session_header,
      connectTimeoutMs,
      ...(isForbidden ? { isForbidden } : {}),
      maxConnections: entry.max_connections,
      maxWaiting: MAX_WAITING,
      maxWaitMs,
      log,
    });
    return { engine, weight, url: withoutSecrets(url) };
  });
}

/** How engines of each kind are opened. */
const openers: Readonly<Record<EngineEntry['kind'], typeof openAiAddresses>> = { openai: openAiAddresses };

/** Calls at once to each server that was connected in the console. */
const MAX_CONNECTIONS_PER_SERVER = 1_024;

/** Opens the engines of servers that were connected in the console. */
export const openConnected =
  ({ timeouts }: Config, log: Logger): OpenEngine =>
  ({ name, baseUrl, apiKey }) => {
    const entry: EngineEntry = {
      kind: 'openai',
      addresses: [baseUrl],
      ...(apiKey === null ? {} : { api_key: apiKey }),
      headers: {},
      dialect: 'auto',
      max_connections: MAX_CONNECTIONS_PER_SERVER,
    };
    return openAiAddresses(name, entry, {
      connectTimeoutMs: timeouts.connect_ms,
      maxWaitMs: timeouts.queue_ms,
      isForbidden: isForbiddenAddress,
      log,
    });
  };

/** The engines of the configuration as people see them: without what their addresses may hold of secrets. */
export const configuredEngines = ({ engines }: Config): readonly ConfiguredEngine[] =>
  Object.entries(engines).map(
    ([
      name,
      {
        addresses: [first],
        api_key: apiKey,
      },
    ]) => ({
      name,
      baseUrl: withoutSecrets(typeof first === 'string' ? first : first?.url),
      hasApiKey: apiKey !== undefined,
    }),
  );

/** The engines of the configuration and the built-in one, by name. */
export function createEngines({
  config,
  log,
}: {
  readonly config: Config;
  readonly log: Logger;
}): ReadonlyMap<string, readonly EngineAddress[]> {
  const engines = new Map<string, readonly EngineAddress[]>([
    ['builtin', [{ engine: createBuiltinEngine(), weight: 1 }]],
  ]);
  const { connect_ms: connectTimeoutMs, queue_ms: maxWaitMs } = config.timeouts;
  for (const [name, entry] of Object.entries(config.engines))
    engines.set(name, openers[entry.kind](name, entry, { connectTimeoutMs, maxWaitMs, log }));
  return engines;
}

/** Ends the connections of all engines. */
export async function closeEngines(engines: ReadonlyMap<string, readonly EngineAddress[]>): Promise<void> {
  await Promise.all([...engines.values()].flat().map(({ engine }) => engine.close()));
}

/** Asks an address that people name for its models. */
export const probeServer: ProbeServer = createServerProbe(isForbiddenAddress);

/** Engines of this process. */
export interface OpenEngines {
  readonly router: ChatRouter;
  readonly serverEngines: ServerEngines;
  /** The addresses of an engine by its name, of the configuration or of a connected server. */
  readonly addressesOf: (name: string) => readonly EngineAddress[];
  /** Addresses that get no new calls. */
  readonly drains: WatchedDrains;
}

/** Where the processes of this machine, or with Redis of all machines, tell each other what they have under way; null for a single one. */
async function openLoads({ config: { redis }, log, parts }: Base): Promise<LoadExchange | null> {
  const ofMachine = cluster.isWorker ? createClusterLoads() : null;
  if (redis.url === undefined) return ofMachine && parts.own('calls of other workers', ofMachine);
  const { url, prefix } = redis;
  return parts.own('calls of other machines', await openRedisLoads({ url, prefix, fallback: ofMachine, log }));
}

/** Opens the engines of the configuration, the routing to them, and what opens those of connected servers. */
export async function openEngines(base: Base, { db, bus }: Data): Promise<OpenEngines> {
  const { config, log, parts } = base;
  const engines = createEngines({ config, log });
  parts.onClose('engines', () => closeEngines(engines));
  const loads = await openLoads(base);
  const router = parts.own('routing', createRouter({ engines, limits: config.timeouts, log, loads }));
  const drains = parts.own('drained addresses', await watchDrains({ db, bus, log, apply: router.drain }));
  const open = openConnected(config, log);
  const serverEngines = parts.own('engines of servers', createServerEngines({ router, open }));
  const addressesOf = (name: string) => engines.get(name) ?? serverEngines.addressesOf(name);
  return { router, serverEngines, addressesOf, drains };
}

/** The catalogue with the context lengths that the servers of its models say, and what messages may hold. They are asked now, in the background. */
export function learnLengths(
  catalogue: LiveCatalogue,
  { contextLength, inputs }: Pick<ChatRouter, 'contextLength' | 'inputs'>,
): LiveCatalogue {
  const taking = withKnownInputs(catalogue, ({ id, engines }) => inputs(engines, id));
  const learning = withKnownLengths(taking, ({ id, engines }) => contextLength(engines, id));
  learning.list();
  return learning;
}

/** Opens the engine of this machine's models. */
export function openLlama(
  { config, log, parts }: Base,
  { router, host }: { readonly router: ChatRouter; readonly host: ModelHost },
): void {
  const loadTimeoutMs = config.local_models.load_timeout_s * 1000;
  const engine = parts.own(
    'engine of local models',
    createLlamaEngine({ host, log, loadTimeoutMs, byServer: (id) => isRunByServer(config, id) }),
  );
  router.setEngine(LOCAL_ENGINE, [{ engine, weight: 1 }]);
}
