import type * as LanceModule from '@lancedb/lancedb';
import type { Connection } from '@lancedb/lancedb';
import type { Arrow } from './batch.ts';

export type Lance = typeof LanceModule;

/** The engine, loaded and connected. */
export interface LanceEngine {
  readonly lance: Lance;
  readonly arrow: Arrow;
  readonly connection: Connection;
}

/** Where tables are kept. */
export interface LanceStorage {
  /** A folder, or `s3://bucket/prefix`. */
  readonly uri: string;
  /** Names and keys for object storage, as the engine calls them. */
  readonly options?: Readonly<Record<string, string>>;
}

const MIB = 1024n * 1024n;

/** Loads the engine, which takes some tenths of a second and 60 MB, and opens the storage. */
export async function openEngine(storage: LanceStorage, cacheMb: number): Promise<LanceEngine> {
  const [lance, arrow] = await Promise.all([import('@lancedb/lancedb'), import('apache-arrow')]);
  // A quarter for what is known of files, the rest for the structures of searches.
  const cache = (BigInt(cacheMb) * MIB) / 4n;
  const session = new lance.Session(cache * 3n, cache);
  const connection = await lance.connect(storage.uri, { storageOptions: { ...storage.options } }, session);
  return { lance, arrow, connection };
}
