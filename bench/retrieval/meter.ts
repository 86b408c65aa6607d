import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Ticks of the clock by which Linux counts processor time. */
const tickMs = (): number => 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Times and processor time of one kind of work. */
interface Meter {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What was measured so far warmed up. */
  forget(): void;
  /** Milliseconds of all work. */
  total(): number;
  /** Milliseconds of processors, of this process and of the server. */
  cpu(): number;
  /** The time of which so large a share took less, in milliseconds. */
  at(share: number): number;
  count(): number;
}

/** Meters of work that this process does together with another one. */
export function createMeters(pid: number): () => Meter {
  const tick = tickMs();
  function spent(): number {
    const { user, system } = process.cpuUsage();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (user + system) / 1000 + (Number(fields[11]) + Number(fields[12])) * tick;
  }
  return () => {
    const times: number[] = [];
    let cpuMs = 0;
    return {
      async run(work) {
        const [cpu, began] = [spent(), performance.now()];
        const result = await work();
        times.push(performance.now() - began);
        cpuMs += spent() - cpu;
        return result;
      },
      forget() {
        times.length = 0;
        cpuMs = 0;
      },
      total: () => times.reduce((sum, one) => sum + one, 0),
      cpu: () => cpuMs,
      at: (share) => times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0,
      count: () => times.length,
    };
  };
}
