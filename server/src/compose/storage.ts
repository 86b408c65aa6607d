import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenSearchIndex, type OpenSearchOptions } from '../adapters/distributed/opensearch-index/index.ts';
import { createS3BlobStore } from '../adapters/distributed/s3-blob-store.ts';
import { lanceStorageOf } from '../adapters/distributed/s3-storage.ts';
import { createS3TableFiles, listStoredFiles } from '../adapters/distributed/s3-table-files.ts';
import { createFolderBlobStore } from '../adapters/embedded/folder-blob-store.ts';
import { createFolderFiles, createLanceIndex } from '../adapters/embedded/lance-index/index.ts';
import { listFolderFiles, type ReportPlace } from '../adapters/embedded/lance-index/report.ts';
import { ConfigError, objectStorageOf, silenceNativeLogs, type Config, widenSearchThreads } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { SearchIndex } from '../ports/search-index.ts';

// The part of the composition that keeps files and the search index: in folders of this machine, or in object storage.

/** Opens the store of files. */
export function openBlobs({ data_dir, storage }: Config): BlobStore {
  const s3 = objectStorageOf(storage);
  return s3 === null ? createFolderBlobStore(join(data_dir, 'blobs')) : createS3BlobStore(s3);
}

/** OpenSearch as the configuration names it; null where it names none. Throws where a file of certificates can't be read. */
export function openSearchOptions({ search }: Pick<Config, 'search'>, log: Logger): OpenSearchOptions | null {
  const { url, username, password, prefix, shards, replicas, engine } = search;
  if (url === undefined) return null;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8'));
  const tls = { ca: read(search.ca_file), cert: read(search.cert_file), key: read(search.key_file) };
  const { collections_per_index: tablesPerIndex, own_index_rows: ownIndexRows, rows_per_shard: rowsPerShard } = search;
  const sizes = { tablesPerIndex, ownIndexRows, rowsPerShard };
  return { url, username, password, tls, prefix, shards, replicas, engine, ...sizes, log };
}

/** Places that a search index can be in: beside the files, or in OpenSearch. */
export type IndexPlace = 'embedded' | 'opensearch';

/** Opens the search index of one place, whichever the configuration uses. Throws ConfigError where it does not say where that is. */
export function openIndexAt(config: Config, place: IndexPlace, log: Logger): SearchIndex {
  if (place === 'embedded') return openEmbeddedIndex(config, log);
  const options = openSearchOptions(config, log);
  if (options === null)
    throw new ConfigError([{ where: 'search.url', message: 'is needed: the address of OpenSearch' }]);
  return createOpenSearchIndex(options);
}

/** Opens the search index where the configuration says that it is. */
export const openSearchIndex = (config: Config, log: Logger): SearchIndex =>
  openIndexAt(config, config.search.url === undefined ? 'embedded' : 'opensearch', log);

/** Opens the search index that lies beside the files. */
function openEmbeddedIndex({ data_dir, storage, retrieval }: Config, log: Logger): SearchIndex {
  silenceNativeLogs();
  widenSearchThreads();
  const s3 = objectStorageOf(storage);
  const folder = join(data_dir, 'index');
  return createLanceIndex({
    storage: s3 === null ? { uri: folder } : lanceStorageOf(s3),
    files: s3 === null ? createFolderFiles(folder) : createS3TableFiles(s3),
    cacheMb: retrieval.index_cache_mb,
    log,
  });
}

/** Where the search index lies that is beside the files, for who looks after it. */
export function embeddedPlace({ data_dir, storage }: Config, log: Logger): ReportPlace {
  silenceNativeLogs();
  const s3 = objectStorageOf(storage);
  const folder = join(data_dir, 'index');
  return s3 === null
    ? { storage: { uri: folder }, place: 'folder', listFiles: () => listFolderFiles(folder), folder: data_dir, log }
    : {
        storage: lanceStorageOf(s3),
        place: 'object_storage',
        listFiles: () => listStoredFiles(s3),
        folder: null,
        log,
      };
}
