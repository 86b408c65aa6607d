import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';

/** What the file postmaster.pid of a data directory says. */
export interface PostmasterFile {
  readonly pid: number;
  /** Such as `starting` or `ready`; empty before PostgreSQL has written it. */
  readonly status: string;
  readonly port: number;
  readonly socketDir: string;
}

/** Lines of postmaster.pid, from 0. Source: PostgreSQL, storage/pidfile.h. */
const LINES = { pid: 0, port: 3, socketDir: 4, status: 7 } as const;

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const text = (line: keyof typeof LINES) => lines[LINES[line]]?.trim() ?? '';
    const pid = Number(text('pid'));
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, status: text('status'), port: Number(text('port')), socketDir: text('socketDir') };
  } catch {
    return null;
  }
}

/**
 * Ends a PostgreSQL that an earlier service left behind in this data directory, and clears the traces of one that is gone.
 * The caller holds the lock of the data folder, so whatever runs here has no owner.
 */
export async function stopOrphan(cluster: string, log: Logger): Promise<void> {
  const file = readPostmasterFile(cluster);
  if (file === null) return;
  if (!isPostmasterOf(file.pid, cluster)) {
    // A stranger may have the number by now, and PostgreSQL would then refuse to start.
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  log.warn({ pid: file.pid }, 'orphaned PostgreSQL of an earlier run is stopped');
  if (!(await stopProcess(file.pid, () => isPostmasterOf(file.pid, cluster)))) {
    throw new StudioError(
      'conflict',
      `A PostgreSQL (process ${file.pid}) still uses ${cluster} and does not end. End it by hand and start again.`,
    );
  }
}

/** Asks a postmaster to end: fast, then without a checkpoint, then by force. Returns whether it is gone. */
export async function stopProcess(pid: number, alive: () => boolean): Promise<boolean> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ] as const;
  for (const [signal, timeoutMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone already, or not ours: the loop below tells.
    }
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      if (!alive()) return true;
      await sleep(20);
    }
  }
  return !alive();
}

/** Whether the process lives and is the PostgreSQL of this data directory. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return process.platform === 'linux' ? isPostmasterOnLinux(pid, cluster) : commandLine(pid).includes(cluster);
}

function isPostmasterOnLinux(pid: number, cluster: string): boolean {
  try {
    // A process that has ended but was not waited for is still listed.
    if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (words.includes(cluster)) return true;
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
}

function commandLine(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
