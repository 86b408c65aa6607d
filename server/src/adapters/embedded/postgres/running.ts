import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresConnection } from '../../postgres/connection.ts';
import { clusterPaths, DATABASE, readPassword, USER } from './cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './orphan.ts';

/** Lines of postmaster.pid. Source: PostgreSQL, storage/pidfile.h. */
const PORT_LINE = 3;
const SOCKET_LINE = 4;

/** How to reach the PostgreSQL that a running service has in this data folder; null when none is ready there. */
export function findRunningPostgres(dataDir: string): PostgresConnection | null {
  try {
    const paths = clusterPaths(realpathSync(dataDir));
    const file = readPostmasterFile(paths.cluster);
    if (file === null || file.status !== 'ready' || !isPostmasterOf(file.pid, paths.cluster)) return null;
    const lines = readFileSync(join(paths.cluster, 'postmaster.pid'), 'utf8').split('\n');
    const host = lines[SOCKET_LINE]?.trim() ?? '';
    return { host, port: Number(lines[PORT_LINE]), user: USER, password: readPassword(paths), database: DATABASE };
  } catch {
    return null;
  }
}
