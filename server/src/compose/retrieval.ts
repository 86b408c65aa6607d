import type { CollectionsDeps } from '../console/index.ts';
import type { Surfaces } from '../http/index.ts';
import {
  createChunkPreviews,
  createEvaluations,
  createExtractions,
  createOriginals,
  createTextWorkers,
  type ExtractionDeps,
  type OriginalsDeps,
  type RetrievalDeps,
  startEvaluations,
  startExtractions,
  startIngest,
} from '../retrieval/index.ts';
import type { Base } from './parts.ts';
import { backgroundLimits } from './documents.ts';
import { refuseUnknownSearch } from './search-server.ts';
import { openBlobs, openSearchIndex } from './storage.ts';

// The part of the composition that keeps collections and searches them.

interface Deps
  extends
    Pick<RetrievalDeps, 'db' | 'bus' | 'catalogue' | 'calls'>,
    Pick<ExtractionDeps, 'openChat' | 'defaultLimits'> {
  /** The document parsers. */
  readonly documents: Surfaces['documents'];
  /** Renders their pages as pictures. */
  readonly pageRendering: Pick<OriginalsDeps, 'pool' | 'renderer'>;
}

/** Collections of this process. */
export interface Retrieval {
  readonly retrieval: RetrievalDeps;
  readonly routes: Surfaces['retrieval'];
  /** Dependencies of the pages of collections. */
  readonly collections: CollectionsDeps;
}

/** Time limit for chunking one document. */
const TEXT_TIMEOUT_MS = 300_000;

/** Opens the threads that chunk texts and count their tokens. */
export function openTexts({ config: { retrieval }, parts }: Base): RetrievalDeps['texts'] {
  const { text_threads: size, text_memory_mb: heapMb, encoding } = retrieval;
  return parts.own('threads for texts', createTextWorkers({ size, heapMb, timeoutMs: TEXT_TIMEOUT_MS, encoding }));
}

/** Opens retrieval; waiting documents are ingested once the service has started. */
export function openRetrieval(base: Base, deps: Deps): Retrieval {
  const { config, log, parts } = base;
  const { db, bus, catalogue, calls, documents, pageRendering } = deps;
  const { documents_at_once: size, patience_hours: retryHours } = config.retrieval;
  const { query_timeout_ms: queryTimeoutMs, rerank_timeout_ms: rerankTimeoutMs } = config.retrieval;
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
    rerankTimeoutMs,
    now: Date.now,
    storedVectors: config.retrieval.stored_vectors,
    openChat: deps.openChat,
  };
  const { renderer } = documents;
  const { openChat, defaultLimits } = deps;
  const extraction: ExtractionDeps = { ...retrieval, renderer, openChat, defaultLimits };
  const extractions = createExtractions(extraction);
  const { pool, folder, limits, backgroundTimeoutMs: timeoutMs, maxUploadBytes } = documents;
  const work = backgroundLimits(config.documents);
  const previews = createChunkPreviews({ ...retrieval, ...documents, now: Date.now });
  const slowMs = config.retrieval.slow_embedding_ms;
  const ingest = { ...retrieval, pool, folder, limits, timeoutMs, work, slowMs, size, retryHours };
  parts.onStart('search server', async () => {
    await refuseUnknownSearch(config, log);
    return null;
  });
  for (const [name, start] of [
    ['ingest', () => startIngest(ingest)],
    ['evaluations', () => startEvaluations({ ...retrieval, defaultLimits })],
    ['extractions', () => startExtractions(extraction)],
  ] as const)
    parts.onStart(name, async () => {
      const started = await start();
      parts.closeEarly(started);
      return started;
    });
  return {
    retrieval,
    routes: { retrieval, extractions, previews, folder, maxUploadBytes },
    collections: {
      retrieval,
      evaluations: createEvaluations(retrieval),
      extractions,
      previews,
      originals: createOriginals({ db, blobs, texts, ...pageRendering, folder }),
      maxBytes: maxUploadBytes,
      folder,
    },
  };
}
