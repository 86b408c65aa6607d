import { readFileSync, readdirSync } from 'node:fs';

// Memory and processor time of a process from /proc, because a process that hangs cannot report them itself.

const PAGE_BYTES = 4_096;
/** Source: proc(5): times are counted in hundredths of a second (USER_HZ), whatever the kernel's own clock. */
const TICK_MS = 10;

function readProc(pid: number | undefined, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Bytes of memory that a process holds; 0 where the system does not tell (macOS: the heap's limit must do). */
export function residentBytes(pid: number | undefined): number {
  const [, resident = '0'] = readProc(pid, 'statm')?.split(' ') ?? [];
  return Number(resident) * PAGE_BYTES;
}

/** Processor time that a process has had, in ms; 0 where the system does not tell (macOS: the time-out must do). */
export function cpuMs(pid: number | undefined): number {
  // The name of the program, in brackets, may hold blanks; of what follows it, the 12th and 13th are times.
  const fields =
    readProc(pid, 'stat')
      ?.replace(/^.*\) /s, '')
      .split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

/** Bytes of memory that a process and those of its group hold; 0 where the system does not tell. */
export function groupBytes(group: number | undefined): number {
  let bytes = 0;
  let names: readonly string[] = [];
  try {
    names = readdirSync('/proc');
  } catch {
    return 0;
  }
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program, in brackets, may hold blanks; the third field behind it is the group.
    const fields = readProc(Number(name), 'stat')
      ?.replace(/^.*\) /s, '')
      .split(' ');
    if (Number(fields?.[2]) === group) bytes += residentBytes(Number(name));
  }
  return bytes;
}
