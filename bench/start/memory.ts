import { readFileSync } from 'node:fs';

/** Memory of some processes together, in MB. */
interface Memory {
  readonly rss: number;
  /** What several processes share counts in each with its share. */
  readonly pss: number;
}

/** Memory of a service that runs. */
export interface ServiceMemory {
  /** The process that answers requests, with its threads; not the one that waits for it at the terminal. */
  readonly service: Memory;
  readonly postgres: Memory;
  /** Whatever else it has started and not ended yet, such as readers of documents. */
  readonly others: Memory;
}

const KB = 1_024;
const MB = 1_000_000;

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

const field = (text: string, name: string) =>
  (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * KB) / MB;

function memoryOf(pids: readonly number[]): Memory {
  const texts = pids.map((pid) => read(`/proc/${pid}/smaps_rollup`));
  const sum = (name: string) => texts.reduce((all, text) => all + field(text, name), 0);
  return { rss: sum('Rss'), pss: sum('Pss') };
}

type Kind = keyof ServiceMemory | 'starter';

/** What a process of the service is. PostgreSQL counts with its helpers and with what ends it. */
function kindOf(pid: number): Kind {
  const line = read(`/proc/${pid}/cmdline`);
  if (line.includes('bootstrap.mjs')) return 'starter';
  if (/server\/src\/main\.mjs\0serve/.test(line)) return 'service';
  return line.includes('postgres') || line.startsWith('cat\0') ? 'postgres' : 'others';
}

/** Reads the memory of the processes of a service. Linux only. */
export function readMemory(pids: readonly number[]): ServiceMemory {
  const kinds = Map.groupBy(pids, kindOf);
  const of = (kind: Kind) => memoryOf(kinds.get(kind) ?? []);
  return { service: of('service'), postgres: of('postgres'), others: of('others') };
}
