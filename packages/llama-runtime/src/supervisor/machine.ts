import { availableParallelism, totalmem } from 'node:os';

/** What models of this machine may use. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Cores and memory that this process may use, limits of containers included. */
export function readMachine(): Machine {
  // Where nothing limits the process this is 0 or beyond what the machine has.
  const limit = process.constrainedMemory();
  const memoryBytes = limit > 0 ? Math.min(totalmem(), limit) : totalmem();
  return { cores: availableParallelism(), memoryBytes };
}

const units: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/** Bytes of a size such as `12GiB` or `500MB`, or of a share such as `70%` of the machine's memory. */
export function memoryBudget(text: string, { memoryBytes }: Machine): number {
  const [, amount = '', unit = ''] = /^([\d.]+)\s*(%|[kmgt]i?b)$/i.exec(text) ?? [];
  if (unit === '%') return Math.floor((memoryBytes * Number(amount)) / 100);
  const step = unit.length === 3 ? 1024 : 1000;
  return Math.floor(Number(amount) * step ** (units[unit.charAt(0).toLowerCase()] ?? 0));
}
