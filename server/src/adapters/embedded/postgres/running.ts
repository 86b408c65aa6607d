import { existsSync, realpathSync } from 'node:fs';
import type { PostgresConnection } from '../../postgres/connection.ts';
import { isDataFolderInUse } from '../data-lock.ts';
import { clusterPaths, DATABASE, readPassword, USER } from './cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './orphan.ts';

/** The database of a service that is running on the data folder, for commands beside it; null when none is. */
export function findRunningPostgres(dataDir: string): PostgresConnection | null {
  // Without the lock what still runs is an orphan that is about to be ended.
  if (!existsSync(dataDir) || !isDataFolderInUse(dataDir)) return null;
  const paths = clusterPaths(realpathSync(dataDir));
  const file = readPostmasterFile(paths.cluster);
  if (file === null || file.status !== 'ready' || !isPostmasterOf(file.pid, paths.cluster)) return null;
  return { host: file.socketDir, port: file.port, user: USER, password: readPassword(paths), database: DATABASE };
}
