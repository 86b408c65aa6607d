import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Which core each part of the benchmark keeps to; null where parts can't be kept apart. */
export interface Cores {
  readonly gateway: string | null;
  readonly engine: string | null;
  readonly load: string | null;
}

/** The machine in words, for the head of every report. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  readonly openFiles: number;
  readonly loadAverage: number;
}

export function describeMachine(): Machine {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    openFiles: Number(/Max open files\s+\d+\s+(\d+)/.exec(limits)?.[1] ?? 1024),
    loadAverage: Number(loadavg()[0]?.toFixed(1) ?? 0),
  };
}

/** A core each for gateway, engine and generator, where there are enough and `taskset` can be had. */
export function planCores(): Cores {
  const pins = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!pins || cpus().length < 4) return { gateway: null, engine: null, load: null };
  return { gateway: '1', engine: '2', load: '3' };
}
