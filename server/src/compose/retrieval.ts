import type { Config } from '../config/index.ts';
import type { CollectionsDeps } from '../console/index.ts';
import type { HttpOptions } from '../http/index.ts';
import {
  createEvaluations,
  createOriginals,
  createTextThreads,
  type OriginalsDeps,
  type RetrievalDeps,
  startEvaluations,
  startIngest,
} from '../retrieval/index.ts';
import { openBlobs, openSearchIndex } from './storage.ts';

// The part of the composition that keeps collections and searches them.

interface Deps extends Pick<RetrievalDeps, 'db' | 'bus' | 'catalogue' | 'router' | 'metering' | 'log'> {
  /** What reads documents. */
  readonly documents: HttpOptions['documents'];
  /** What shows their pages. */
  readonly showing: Pick<OriginalsDeps, 'pool' | 'renderer'>;
  /** Once it says so, what is taken in waits for another process or the next start. */
  readonly stopping: AbortSignal;
}

/** Longest time that one document may take to be cut. */
const TEXT_TIMEOUT_MS = 300_000;

/** Collections of this process. */
interface Retrieval {
  readonly options: HttpOptions['retrieval'];
  /** What the pages of collections work with. */
  readonly collections: CollectionsDeps;
  /** Begins to take in what waits. */
  start(): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** Opens what collections need. */
export function openRetrieval(config: Config, { documents, showing, stopping, ...deps }: Deps): Retrieval {
  const { retrieval: settings } = config;
  const texts = createTextThreads({
    size: settings.text_threads,
    heapMb: settings.text_memory_mb,
    timeoutMs: TEXT_TIMEOUT_MS,
    encoding: settings.encoding,
  });
  const blobs = openBlobs(config);
  const index = openSearchIndex(config, deps.log);
  const retrieval: RetrievalDeps = { ...deps, texts, blobs, index, now: Date.now };
  const { pool, folder, limits, backgroundTimeoutMs: timeoutMs, maxUploadBytes } = documents;
  const { documents_at_once: size, patience_hours: patienceHours } = settings;
  const evaluations = createEvaluations(retrieval);
  let ingest: Awaited<ReturnType<typeof startIngest>> | null = null;
  let evaluating: Awaited<ReturnType<typeof startEvaluations>> | null = null;
  return {
    options: { retrieval, folder, maxUploadBytes },
    collections: {
      retrieval,
      evaluations,
      originals: createOriginals({ db: deps.db, blobs, ...showing, folder }),
      maxBytes: maxUploadBytes,
      folder,
    },
    async start() {
      ingest = await startIngest({ ...retrieval, pool, folder, limits, timeoutMs, size, retryHours: patienceHours });
      evaluating = await startEvaluations(retrieval);
      const end = () => void Promise.all([ingest?.close(), evaluating?.close()]);
      stopping.addEventListener('abort', end, { once: true });
    },
    async close() {
      await ingest?.close();
      await evaluating?.close();
      await texts.close();
      await index.close();
      await blobs.close();
    },
  };
}
