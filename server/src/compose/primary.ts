import { serveLoads } from '../adapters/embedded/cluster-loads.ts';
import { serveRateLimiter } from '../adapters/embedded/cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from '../adapters/embedded/memory-rate-limiter.ts';
import type { PostgresConnection } from '../adapters/postgres/index.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { identityOf } from './identity.ts';
import { openLocalModels, shareLocalModels } from './local-models.ts';
import { openParts } from './parts.ts';
import { openData } from './store.ts';

// Services of the primary process for its workers.

/** Counts for all workers: their rate limits, and the calls that they have under way. Returns a function that stops it. */
export function serveCountsToWorkers(): () => Promise<void> {
  const limiter = createMemoryRateLimiter(Date.now);
  const stop = serveRateLimiter(limiter);
  const stopLoads = serveLoads();
  return async () => {
    stop();
    stopLoads();
    await limiter.close();
  };
}

/** The models that several processes use. */
export interface WorkerModelHost {
  readonly catalogue: Catalogue;
  close(): Promise<void>;
}

interface WorkerModelHostOptions {
  readonly config: Config;
  /** The catalogue of the configuration. */
  readonly catalogue: Catalogue;
  readonly connection: PostgresConnection;
  readonly log: Logger;
}

/** Keeps the models that all workers use. */
export async function hostModelsForWorkers({
  config,
  catalogue: configured,
  connection,
  log,
}: WorkerModelHostOptions): Promise<WorkerModelHost> {
  const { value: models, close } = await openParts(log, async (parts) => {
    const base = { config, log, parts };
    const data = await openData(base, connection, 2);
    const { box } = identityOf(config, data.db);
    // The engines of connected servers are opened by the workers.
    const applyServers = () => () => {};
    const local = await openLocalModels(base, { ...data, box, configured, applyServers });
    shareLocalModels(base, local);
    return local;
  });
  return { catalogue: models.catalogue, close: () => close(0) };
}
