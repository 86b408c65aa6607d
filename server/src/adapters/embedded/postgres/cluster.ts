import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { StudioError } from '../../../kernel/errors.ts';
import type { Account } from './account.ts';
import { DATABASE_URL_HINT, type PostgresPrograms } from './programs.ts';

export const USER = 'studio';
export const DATABASE = 'studio';
export const PORT = 5432;
/** The version that the platform package brings. A data folder of another one is not opened. */
const MAJOR_VERSION = '18';
/** Bytes of a Unix socket path that every system takes (Linux 107, macOS 103). */
const SOCKET_PATH_LIMIT = 103;

/** Mark in the name of a folder in which a database is being prepared. */
const DRAFT = '.new-';

/** Where a database of the service's own lives, below the data folder. */
export interface ClusterPaths {
  /** Holds everything of the database. */
  readonly root: string;
  /** What PostgreSQL calls the data directory. */
  readonly cluster: string;
  readonly passwordFile: string;
}

export function clusterPaths(dataDir: string): ClusterPaths {
  const root = join(dataDir, 'postgres');
  return { root, cluster: join(root, 'cluster'), passwordFile: join(root, 'password') };
}

/** Whether the folder holds originals or an index, which without their database are of no use. */
export function holdsDerivedData(dataDir: string): boolean {
  return ['blobs', 'index'].some((name) => {
    const folder = join(dataDir, name);
    return existsSync(folder) && readdirSync(folder).length > 0;
  });
}

export const lostDatabaseError = (dataDir: string) =>
  new StudioError(
    'conflict',
    `The data folder ${dataDir} holds documents or an index, but the database is empty. Starting would make a new, empty installation ` +
      `beside them. Bring back the database (postgres/ of that folder, or the one that database.url names), or move blobs/ and index/ away.`,
  );

/** Whether a database was made in the folder before. Throws StudioError `conflict` for one that this version can't open. */
export function isInitialised({ cluster }: ClusterPaths): boolean {
  const versionFile = join(cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) return false;
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version === MAJOR_VERSION) return true;
  throw new StudioError(
    'conflict',
    `The database in ${cluster} was made by PostgreSQL ${version}, this service brings PostgreSQL ${MAJOR_VERSION}. ` +
      `Start the service version that made it, save the data with "studio backup", and restore it here.`,
  );
}

/**
 * Makes a new database. All of it is prepared beside its place and moved there last, so that a start cut short
 * leaves nothing half made.
 */
export async function initialise(paths: ClusterPaths, programs: PostgresPrograms, account: Account): Promise<void> {
  // A name of its own: an initdb of a start that was killed may still be at work in the draft before.
  const draft = mkdtempSync(`${paths.root}${DRAFT}`);
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(draft, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const path of [draft, passwordFile]) account.takeOwnership(path);

  const cluster = join(draft, 'cluster');
  await runProgram(programs, account, programs.initdb, [
    `--pgdata=${cluster}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth-local=scram-sha-256',
    '--auth-host=reject',
    '--encoding=UTF8',
    // The same order and the same upper and lower case everywhere, whatever the system's locales are.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  await runProgram(
    programs,
    account,
    programs.postgres,
    ['--single', '-D', cluster, 'postgres'],
    `CREATE DATABASE ${DATABASE}\n`,
  );
  rmSync(paths.root, { recursive: true, force: true });
  renameSync(draft, paths.root);
}

/** Removes what starts that were cut short have left beside the database. */
export function removeDrafts(paths: ClusterPaths): void {
  const folder = dirname(paths.root);
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(basename(paths.root) + DRAFT))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Somebody still writes into it; the next start removes it.
    }
  }
}

/** The password that the database was made with. */
export const readPassword = ({ passwordFile }: ClusterPaths) => readFileSync(passwordFile, 'utf8').trim();

/**
 * The folder of the socket: in the data folder, or a private one of the system's folder for temporary files
 * where the path would be too long for a socket.
 */
export function socketFolder({ root }: ClusterPaths, account: Account, temporaryDir: string = tmpdir()): string {
  const localSocketDir = join(root, 'run');
  if (Buffer.byteLength(join(localSocketDir, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT) {
    mkdirSync(localSocketDir, { recursive: true, mode: 0o700 });
    account.takeOwnership(localSocketDir);
    return localSocketDir;
  }
  const name = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 12);
  const known = join(temporaryDir, `studio-${name}`);
  const folder = claimFolder(known) ? known : mkdtempSync(join(temporaryDir, 'studio-'));
  account.takeOwnership(folder);
  return folder;
}

/** Whether the path is, or now became, a folder that nobody else could have prepared. */
function claimFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    const found = lstatSync(path, { throwIfNoEntry: false });
    const self = process.geteuid?.();
    return (
      found !== undefined && found.isDirectory() && (found.uid === self || self === 0) && (found.mode & 0o077) === 0
    );
  }
}

async function runProgram(
  programs: PostgresPrograms,
  account: Account,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const started = account.run(program, args);
  const child = spawn(started.command, started.args, {
    env: programs.env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...started.ids,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const status = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  if (status === 0) return;
  throw new StudioError(
    'unavailable',
    `The embedded PostgreSQL could not be set up (${lastErrorLine(output, status)}). ${DATABASE_URL_HINT}`,
    {
      cause: new Error(output),
    },
  );
}

function lastErrorLine(output: string, status: number | string): string {
  const lines = output.split('\n').filter((line) => /error:|FATAL:|PANIC:|could not|cannot/.test(line));
  return lines.at(-1)?.trim() ?? `exit status ${status}`;
}
