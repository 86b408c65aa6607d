/** Facts about running processes, read from Linux' /proc. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel reports CPU time in hundredths of a second on every Linux in use (USER_HZ). */
const TICK_MICROS = 10_000;
const PAGE_KB = 4;

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

/** Fields of /proc/<pid>/stat from the third on; the second may hold spaces. */
const statFields = (pid: number | string) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];

/** CPU time of the processes and of their ended children so far, in microseconds. */
export function cpuMicros(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFields(pid);
    for (const at of [11, 12, 13, 14]) ticks += Number(fields[at] ?? 0);
  }
  return ticks * TICK_MICROS;
}

/** Resident memory of the processes together, in kB. */
export function rssKb(pids: readonly number[]): number {
  let pages = 0;
  for (const pid of pids) pages += Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0);
  return pages * PAGE_KB;
}

/** The process and everything it started, as far as it still runs. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statFields(name)[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree.filter((pid) => statFields(pid).length > 0);
}
