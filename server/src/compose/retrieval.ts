import type { CollectionsDeps } from '../console/index.ts';
import type { Surfaces } from '../http/index.ts';
import {
  createEvaluations,
  createOriginals,
  createTextThreads,
  type OriginalsDeps,
  type RetrievalDeps,
  startEvaluations,
  startIngest,
} from '../retrieval/index.ts';
import type { Base } from './parts.ts';
import { backgroundWork } from './documents.ts';
import { openBlobs, openSearchIndex } from './storage.ts';

// The part of the composition that keeps collections and searches them.

interface Deps extends Pick<RetrievalDeps, 'db' | 'bus' | 'catalogue' | 'calls'> {
  /** What reads documents. */
  readonly documents: Surfaces['documents'];
  /** What shows their pages. */
  readonly showing: Pick<OriginalsDeps, 'pool' | 'renderer'>;
}

/** Collections of this process. */
export interface Retrieval {
  readonly retrieval: RetrievalDeps;
  readonly routes: Surfaces['retrieval'];
  /** What the pages of collections work with. */
  readonly collections: CollectionsDeps;
}

/** Longest time that one document may take to be cut. */
const TEXT_TIMEOUT_MS = 300_000;

/** Opens what cuts and measures texts. */
export function openTexts({ config: { retrieval }, parts }: Base): RetrievalDeps['texts'] {
  const { text_threads: size, text_memory_mb: heapMb, encoding } = retrieval;
  return parts.own('threads for texts', createTextThreads({ size, heapMb, timeoutMs: TEXT_TIMEOUT_MS, encoding }));
}

/** Opens what collections need; what waits is taken in from the start on. */
export function openRetrieval(base: Base, deps: Deps): Retrieval {
  const { config, log, parts } = base;
  const { db, bus, catalogue, calls, documents, showing } = deps;
  const { documents_at_once: size, patience_hours: retryHours, query_timeout_ms: queryTimeoutMs } = config.retrieval;
  const blobs = parts.own('files of collections', openBlobs(config));
  const index = parts.own('search index', openSearchIndex(config, log));
  const texts = openTexts(base);
  const retrieval: RetrievalDeps = {
    db,
    bus,
    catalogue,
    calls,
    texts,
    blobs,
    index,
    log,
    queryTimeoutMs,
    now: Date.now,
  };
  const { pool, folder, limits, backgroundTimeoutMs: timeoutMs, maxUploadBytes } = documents;
  const work = backgroundWork(config.documents);
  const slowMs = config.retrieval.slow_embedding_ms;
  const ingest = { ...retrieval, pool, folder, limits, timeoutMs, work, slowMs, size, retryHours };
  for (const [name, start] of [
    ['ingest', () => startIngest(ingest)],
    ['evaluations', () => startEvaluations(retrieval)],
  ] as const)
    parts.onStart(name, async () => {
      const started = await start();
      parts.endEarly(started);
      return started;
    });
  return {
    retrieval,
    routes: { retrieval, folder, maxUploadBytes },
    collections: {
      retrieval,
      evaluations: createEvaluations(retrieval),
      originals: createOriginals({ db, blobs, ...showing, folder }),
      maxBytes: maxUploadBytes,
      folder,
    },
  };
}
