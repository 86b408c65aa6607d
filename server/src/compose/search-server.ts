import type { SearchIndexState } from '@ai-studio/contract/console/search-index.ts';
import { readFilesReport } from '../adapters/embedded/lance-index/report.ts';
import { readReport } from '../adapters/distributed/opensearch-index/report.ts';
import { reshardTables, type Resharded } from '../adapters/distributed/opensearch-index/reshard.ts';
import { readCluster, readFigures, type IndexFigures } from '../adapters/distributed/opensearch-index/state.ts';
import { ConfigError, type Config } from '../config/index.ts';
import type { ReadinessCheck } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import { collectionOfTable } from '../retrieval/index.ts';
import { embeddedPlace, openSearchOptions } from './storage.ts';

/** Looks at the search index wherever it is, with advice for its operator. Never rejects. */
export async function probeSearch(config: Config, log: Logger): Promise<SearchIndexState> {
  const { url } = config.search;
  const state: SearchIndexState = {
    kind: url === undefined ? 'embedded' : 'opensearch',
    host: url === undefined ? null : new URL(url).host,
    trouble: null,
    looked_at: new Date().toISOString(),
    tables: 0,
    rows: 0,
    bytes: 0,
    cluster: null,
    files: null,
    advice: [],
  };
  try {
    const options = openSearchOptions(config, log);
    const found = await (options === null ? readFilesReport(embeddedPlace(config, log)) : readReport(options));
    return { ...state, ...found };
  } catch (error) {
    return { ...state, trouble: (error as Error).message };
  }
}

/** A check is asked for often, by anybody, and the cluster by several requests: it is asked this often at most. */
const KEEP_MS = 10_000;
/** Looking at many files takes longer. */
const KEEP_STATE_MS = 30_000;

/** The answer of some work, which is not done again while it is fresh. */
function kept<T>(work: () => Promise<T>, keepMs = KEEP_MS): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    if (known === null || Date.now() - known.at > keepMs) known = { at: Date.now(), answer: work() };
    return known.answer;
  };
}

/** How this process tells of the search index: a health check and figures for Prometheus where it is in OpenSearch, and for who looks after it. */
export interface SearchWatch {
  readonly checks: readonly ReadinessCheck[];
  /** Null while it cannot be used. Never rejects. */
  readonly figures: (() => Promise<IndexFigures | null>) | null;
  /** Never rejects. */
  readonly state: () => Promise<SearchIndexState>;
}

export function watchSearch(config: Config, log: Logger): SearchWatch {
  const options = openSearchOptions(config, log);
  const state = kept(() => probeSearch(config, log), KEEP_STATE_MS);
  if (options === null) return { checks: [], figures: null, state };
  const check = kept(async () => {
    // Not the reason itself: it may hold addresses, and anybody may ask. The log has it.
    try {
      const { refusal, status } = await readCluster(options);
      if (refusal !== null) return 'The version of OpenSearch is not supported';
      return status === 'red' ? 'OpenSearch does not serve all parts of the search index' : null;
    } catch (error) {
      log.warn({ err: error }, 'OpenSearch cannot be used');
      return 'OpenSearch cannot be used; collections are not searched';
    }
  });
  const figures = kept(() => readFigures(options).catch(() => null));
  return { checks: [{ name: 'search', needed: false, check }], figures, state };
}

/** Whether the service may start with the configured OpenSearch: with one that is away, too. Throws ConfigError for a version that we don't know. */
export async function refuseUnknownSearch(config: Config, log: Logger): Promise<void> {
  const options = openSearchOptions(config, log);
  if (options === null) return;
  const state = await readCluster(options).catch((error: unknown) => {
    log.warn({ err: error }, 'OpenSearch cannot be used; collections are not searched until it can');
    return null;
  });
  if (state !== null && state.refusal !== null)
    throw new ConfigError([{ where: 'search.url', message: `names a server that cannot be used: ${state.refusal}` }]);
}

/**
 * Gives collections that have an index of their own as many shards as they want now: those with these ids, or all. Throws ConfigError where no
 * OpenSearch is configured, IndexError, and Error for a version that we don't know.
 */
export async function reshardCollections(
  config: Config,
  log: Logger,
  ids: readonly string[],
  onProgress: (message: string) => void,
): Promise<Resharded> {
  const options = openSearchOptions(config, log);
  if (options === null)
    throw new ConfigError([{ where: 'search.url', message: 'is needed: the address of OpenSearch' }]);
  const isMeant = (table: string) => ids.length === 0 || ids.includes(collectionOfTable(table) ?? '');
  return reshardTables(options, isMeant, onProgress);
}
