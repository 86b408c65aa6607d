import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** Where Linux tells of the limits of a process. */
interface LimitFiles {
  /** Its groups, one a line. */
  readonly groups: string;
  /** The tree of groups. */
  readonly tree: string;
}

const linuxFiles: LimitFiles = { groups: '/proc/self/cgroup', tree: '/sys/fs/cgroup' };

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** A share of time per period as cores; null where there is no limit. Source: Linux, cgroup-v2 "cpu.max", scheduler/sched-bwc. */
function quotaOf(quota: string | undefined, period: string | undefined): number | null {
  const cores = Number(quota) / Number(period);
  return cores > 0 && Number.isFinite(cores) ? cores : null;
}

/** The limit of one group, in either form. */
function limitOf(folder: string): number | null {
  const [quota, period] = read(join(folder, 'cpu.max'))?.split(' ') ?? [];
  const older = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => read(join(folder, name)) ?? undefined);
  return quotaOf(quota, period) ?? quotaOf(older[0], older[1]);
}

/** A path and all above it. Within a container the path may be that of the machine, and the tree begins at the container's own group. */
const withParents = (path: string): string[] => (path === '/' ? ['/'] : [path, ...withParents(dirname(path))]);

/** Folders of a line such as `0::/a/b` (version 2) or `4:cpu,cpuacct:/a/b` (version 1). */
function foldersOf(line: string, tree: string): string[] {
  const [, controllers = '', path = '/'] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  const isCpu = controllers.split(',').includes('cpu');
  const roots = controllers === '' ? [tree] : isCpu ? [join(tree, controllers), join(tree, 'cpu')] : [];
  return roots.flatMap((root) => withParents(path).map((part) => join(root, part)));
}

/**
 * Cores that this process may use: those of the machine that it is bound to, and no more than the whole ones of its container's limit;
 * at least one. libuv looks at the limit itself, but not everywhere: with both versions of control groups mounted it saw none.
 */
export function givenCores({ groups, tree }: LimitFiles = linuxFiles, cores: number = availableParallelism()): number {
  const lines = read(groups)?.split('\n') ?? [];
  const limits = lines.flatMap((line) => foldersOf(line, tree)).flatMap((folder) => limitOf(folder) ?? []);
  return Math.max(1, Math.floor(Math.min(cores, ...limits)));
}
