import { join } from 'node:path';
import { createS3BlobStore } from '../adapters/distributed/s3-blob-store.ts';
import { lanceStorageOf } from '../adapters/distributed/s3-storage.ts';
import { createS3TableFiles } from '../adapters/distributed/s3-table-files.ts';
import { createFolderBlobStore } from '../adapters/embedded/folder-blob-store.ts';
import { createFolderFiles, createLanceIndex } from '../adapters/embedded/lance-index/index.ts';
import { objectStorageOf, silenceNativeLogs, type Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { SearchIndex } from '../ports/search-index.ts';

// The part of the composition that keeps files and the search index: in folders of this machine, or in object storage.

/** Opens the store of files. */
export function openBlobs({ data_dir, storage }: Config): BlobStore {
  const s3 = objectStorageOf(storage);
  return s3 === null ? createFolderBlobStore(join(data_dir, 'blobs')) : createS3BlobStore(s3);
}

/** Opens the search index. */
export function openSearchIndex({ data_dir, storage, retrieval }: Config, log: Logger): SearchIndex {
  silenceNativeLogs();
  const s3 = objectStorageOf(storage);
  const folder = join(data_dir, 'index');
  return createLanceIndex({
    storage: s3 === null ? { uri: folder } : lanceStorageOf(s3),
    files: s3 === null ? createFolderFiles(folder) : createS3TableFiles(s3),
    cacheMb: retrieval.index_cache_mb,
    log,
  });
}
