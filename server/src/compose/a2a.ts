import {
  A2aError,
  type AgentFileStore,
  type AgentRuns,
  createA2a,
  createPushConfigs,
  createSigner,
  startDelivery,
} from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { createAddressCheck, createGuardedFetch, createGuardedRequest, FetchRefused } from '../net-guard/index.ts';
import type { Database } from '../ports/database.ts';

// The part of the composition by which agents are called from outside.

interface Deps {
  readonly db: Database;
  readonly box: SecretBox;
  readonly runs: AgentRuns;
  readonly files: AgentFileStore;
  /** Address that clients use. */
  readonly address: () => string;
  readonly log: Logger;
}

export interface OpenA2a {
  readonly options: NonNullable<HttpOptions['agents']>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** How long a file that a message names may take. */
const FETCH_MS = 60_000;
/** Largest such file: it is held in memory. */
const MAX_FETCHED_BYTES = 32 * 1024 * 1024;

function createFetchFile({ network, documents }: Config) {
  const fetchGuarded = createGuardedFetch({ allow: network.allow });
  const maxBytes = Math.min(documents.upload_bytes, MAX_FETCHED_BYTES);
  return async (url: string, signal: AbortSignal) => {
    try {
      return await fetchGuarded(url, { maxBytes, timeoutMs: FETCH_MS, types: null, signal });
    } catch (error) {
      if (error instanceof FetchRefused)
        throw new A2aError('params', `params.message.parts: the file cannot be fetched: ${error.message}`, {
          cause: error,
        });
      throw error;
    }
  };
}

/** Opens A2A, and tells callers of their tasks. */
export function openA2a(config: Config, { db, box, runs, files, address, log }: Deps): OpenA2a {
  const { allow } = config.network;
  const push = createPushConfigs({ db, box, lookAt: createAddressCheck({ allow }) });
  const signer = createSigner(box, address, Date.now);
  const delivery = startDelivery({ db, configs: push, request: createGuardedRequest({ allow }), signer, log });
  const a2a = createA2a({
    db,
    runs,
    push,
    keepFile: (actor, agentId, file) => files.storeBytes(actor, { agentId, ...file }),
    fetchFile: createFetchFile(config),
  });
  return {
    options: { a2a, db, runs, keySet: signer.keySet, configuredUrl: config.server.public_url ?? null },
    close: () => delivery.close(),
  };
}
