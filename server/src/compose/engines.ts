import { createBuiltinEngine } from '../adapters/engines/builtin/index.ts';
import { createOpenAiEngine, createServerProbe } from '../adapters/engines/openai/index.ts';
import type { EngineAddress } from '../inference/index.ts';
import type { Config, EngineEntry } from '../config/index.ts';
import type { ConfiguredEngine } from '../console/index.ts';
import type { Logger } from '../kernel/log.ts';
import { isForbiddenAddress } from '../net-guard/index.ts';
import type { OpenEngine } from '../model-servers/index.ts';
import type { ProbeServer } from '../ports/server-probe.ts';

// The part of the composition that makes engines of what the configuration and the console name.

interface OpenOptions {
  readonly connectTimeoutMs: number;
  /** Addresses that are never connected to; the operator's own file may name any. */
  readonly refuses?: (address: string) => boolean;
  readonly log: Logger;
}

function openAiAddresses(
  name: string,
  entry: EngineEntry,
  { connectTimeoutMs, refuses, log }: OpenOptions,
): EngineAddress[] {
  return entry.addresses.map((address, i) => {
    const { url, weight } = typeof address === 'string' ? { url: address, weight: 1 } : address;
    const engine = createOpenAiEngine({
      id: entry.addresses.length === 1 ? name : `${name}/${i}`,
      baseUrl: url,
      apiKey: entry.api_key ?? null,
      headers: entry.headers,
      dialect: entry.dialect,
      connectTimeoutMs,
      ...(refuses ? { refuses } : {}),
      maxConnections: entry.max_connections,
      log,
    });
    return { engine, weight };
  });
}

/** How engines of each kind are opened. */
const openers: Readonly<Record<EngineEntry['kind'], typeof openAiAddresses>> = { openai: openAiAddresses };

/** Calls at once to each server that was connected in the console. */
const CONNECTED_MOST_CALLS = 1_024;

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
      max_connections: CONNECTED_MOST_CALLS,
    };
    return openAiAddresses(name, entry, { connectTimeoutMs: timeouts.connect_ms, refuses: isForbiddenAddress, log });
  };

/** The engines of the configuration as people see them: without what their addresses may hold of secrets. */
export const configuredEngines = ({ engines }: Config): readonly ConfiguredEngine[] =>
  Object.entries(engines).map(([name, { addresses, api_key }]) => {
    const [first] = addresses;
    const { origin, pathname } = new URL(typeof first === 'string' ? first : (first?.url ?? 'http://none'));
    return { name, baseUrl: origin + pathname.replace(/\/+$/, ''), hasApiKey: api_key !== undefined };
  });

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
  for (const [name, entry] of Object.entries(config.engines))
    engines.set(name, openers[entry.kind](name, entry, { connectTimeoutMs: config.timeouts.connect_ms, log }));
  return engines;
}

/** Ends the connections of all engines. */
export async function closeEngines(engines: ReadonlyMap<string, readonly EngineAddress[]>): Promise<void> {
  await Promise.all([...engines.values()].flat().map(({ engine }) => engine.close()));
}

/** Asks an address that people name for its models. */
export const probeServer: ProbeServer = createServerProbe(isForbiddenAddress);
