import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StudioError } from '../../../kernel/errors.ts';
import { DATABASE_URL_HINT, type PostgresPrograms } from './programs.ts';

/** How the programs are run: PostgreSQL refuses root and wants a user that has a name. */
export interface Account {
  readonly kind: AccountKind;
  /** The command line and the user ids to start a program with. */
  run(
    program: string,
    args: readonly string[],
  ): { command: string; args: string[]; ids: { uid?: number; gid?: number } };
  /** Gives a folder or file to the user that the programs run as. */
  takeOwnership(path: string): void;
  /** Lets that user pass through a folder of the service's, which stays closed to whoever does not know a name in it. */
  allowTraversal(folder: string): void;
}

/**
 * - `direct`: the service's own user.
 * - `unshare`: the service's own user under another number, in a user namespace. Reaches whatever the service reaches.
 * - `user`: the user `postgres`, made when there is none. Fails where that user can't reach the folders.
 */
const accountKinds = ['direct', 'unshare', 'user'] as const;
export type AccountKind = (typeof accountKinds)[number];

/** An account that nobody can log in to. Source: useradd(8). */
const MAKE_USER = [
  'useradd',
  '--system',
  '--user-group',
  '--no-create-home',
  '--shell',
  '/usr/sbin/nologin',
  'postgres',
] as const;

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The first way to run the programs that works here. `clusterDir` may exist already; its owner then decides.
 * Throws StudioError `unavailable` that asks for `database.url` when there is none.
 */
export function chooseAccount(
  programs: PostgresPrograms,
  clusterDir: string,
  allowed: readonly AccountKind[] = accountKinds,
): Account {
  const tried: string[] = [];
  for (const kind of candidateKinds(clusterDir, allowed)) {
    const account = createAccount(kind, programs, clusterDir);
    if (account === null) continue;
    const { command, args, ids } = account.run(programs.postgres, ['--version']);
    const probe = spawnSync(command, args, { env: programs.env, encoding: 'utf8', cwd: '/', ...ids });
    if (probe.status === 0) return account;
    tried.push(`${kind}: ${reason(probe)}`);
  }
  throw new StudioError(
    'unavailable',
    `The embedded PostgreSQL can't be run by the user of this service (${tried.join('; ') || 'no way to run it'}). ` +
      `Run the service as an ordinary user. Or: ${DATABASE_URL_HINT}`,
  );
}

function candidateKinds(clusterDir: string, allowed: readonly AccountKind[]): AccountKind[] {
  const self = process.geteuid?.() ?? 0;
  const owner = existsSync(clusterDir) ? statSync(clusterDir).uid : null;
  const usual: AccountKind[] = self !== 0 ? (hasUserName() ? ['direct', 'unshare'] : ['unshare']) : ['unshare', 'user'];
  const fitting = owner === null ? usual : usual.filter((kind) => (kind === 'user') === (owner !== self));
  return fitting.filter((kind) => allowed.includes(kind));
}

function createAccount(kind: AccountKind, programs: PostgresPrograms, clusterDir: string): Account | null {
  if (kind === 'direct') {
    return { kind, run: (program, args) => ({ command: program, args: [...args], ids: {} }), ...sameUser };
  }
  if (kind === 'unshare') return unshareAccount(pickNamedUser());
  const user = ownerEntry(clusterDir) ?? findOrMakeUser(programs);
  if (user === null) return null;
  return {
    kind,
    run: (program, args) => ({ command: program, args: [...args], ids: { uid: user.uid, gid: user.gid } }),
    takeOwnership: (path) => chownSync(path, user.uid, user.gid),
    allowTraversal: (folder) => chmodSync(folder, (statSync(folder).mode & 0o777) | 0o011),
  };
}

/** Where files are the service's own, whatever number its user has. */
const sameUser = { takeOwnership: () => undefined, allowTraversal: () => undefined };

function unshareAccount(user: PasswdEntry): Account {
  const namespace = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  return {
    kind: 'unshare',
    run: (program, args) => ({ command: 'unshare', args: [...namespace, program, ...args], ids: {} }),
    ...sameUser,
  };
}

/** initdb asks for the name of its user, so the number inside the namespace must be one that has a name. */
function pickNamedUser(): PasswdEntry {
  const ordinary = passwd().filter((entry) => entry.uid !== 0);
  const preferred =
    ordinary.find((entry) => entry.uid === 1000) ?? ordinary.find((entry) => entry.name === 'nobody') ?? ordinary[0];
  return preferred ?? { name: 'postgres', uid: 1000, gid: 1000 };
}

function hasUserName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function ownerEntry(clusterDir: string): PasswdEntry | null {
  if (!existsSync(clusterDir)) return null;
  const { uid, gid } = statSync(clusterDir);
  return { name: 'owner', uid, gid };
}

function findOrMakeUser(programs: PostgresPrograms): PasswdEntry | null {
  const find = () => passwd().find((entry) => entry.name === 'postgres') ?? null;
  const found = find();
  if (found !== null) return found;
  const [command, ...args] = MAKE_USER;
  spawnSync(command, args, { env: programs.env });
  return find();
}

function passwd(): PasswdEntry[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((entry) => Number.isInteger(entry.uid) && Number.isInteger(entry.gid));
}

function reason(probe: SpawnSyncReturns<string>): string {
  if (probe.error !== undefined) return probe.error.message;
  return probe.stderr.trim().split('\n').at(-1) || `exit status ${probe.status ?? probe.signal}`;
}
