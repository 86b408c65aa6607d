import { FetchRefused, type GuardedFetch } from '../../net-guard/index.ts';
import type { A2aDeps } from './deps.ts';
import { A2aError } from './errors.ts';

/** How long a file that a message names may take. */
const TIMEOUT_MS = 60_000;
/** Largest such file: it is held in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Fetches files that messages name by their addresses, up to `uploadBytes`. Throws A2aError `params` for one that is refused. */
export const createFetchFile =
  (fetch: GuardedFetch, uploadBytes: number): A2aDeps['fetchFile'] =>
  async (url, signal) => {
    try {
      const maxBytes = Math.min(uploadBytes, MAX_BYTES);
      return await fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, types: null, signal });
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const message = `params.message.parts: the file cannot be fetched: ${error.message}`;
      throw new A2aError('params', message, { cause: error });
    }
  };
