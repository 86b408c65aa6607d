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
