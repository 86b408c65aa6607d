import type { JobResult } from '../gateway/load.ts';

/** An engine of a fixed capacity, and what is sent to it. */
export interface OverloadWorkload {
  readonly name: string;
  /** Pieces of each reply; 0 for one that comes whole. */
  readonly tokens: number;
}

/** The same service with too little and with four times too much to do. */
export interface OverloadRun {
  /** A quarter of the capacity. */
  readonly unloaded: JobResult;
  /** As much as clients get that always send again. */
  readonly peak: JobResult;
  readonly overload: JobResult;
  /** A quarter of the capacity again, at once after that. */
  readonly after: JobResult;
}

/** What came of it, as ratios. */
export interface OverloadFigures {
  /** Answers a second in the overload ÷ at the peak. */
  readonly goodput: number;
  /** 99th percentile of the times of what was answered ÷ that of an unloaded service. */
  readonly p99: number;
  /** CPU time of a refused request ÷ of an answered one. */
  readonly refusedCost: number;
  /** Refused requests a second, and CPU microseconds of one and of an answered one. */
  readonly refusedPerSecond: number;
  readonly refusedMicros: number;
  readonly servedMicros: number;
  readonly unloadedP99Ms: number;
  readonly overloadP99Ms: number;
  /** Requests that failed after the overload. */
  readonly failedAfter: number;
}

const p99Of = ({ latencies }: JobResult) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * 0.99))] ?? Number.NaN;

/** Sets an overload beside the same service with less to do; requests were sent for `measureMs`. */
export function overloadFigures({ unloaded, peak, overload, after }: OverloadRun, measureMs: number): OverloadFigures {
  // The last answers come after the last request: the time until then is no part of a rate.
  const perSecond = (count: number) => (count * 1000) / measureMs;
  const servedMicros = peak.cpuMicros / Math.max(1, peak.done);
  const refusedMicros = Math.max(0, overload.cpuMicros - overload.done * servedMicros) / Math.max(1, overload.refused);
  const unloadedP99Ms = p99Of(unloaded);
  const overloadP99Ms = p99Of(overload);
  return {
    goodput: perSecond(overload.done) / ((peak.done * 1000) / peak.windowMs),
    p99: overloadP99Ms / unloadedP99Ms,
    refusedCost: refusedMicros / servedMicros,
    refusedPerSecond: perSecond(overload.refused),
    refusedMicros,
    servedMicros,
    unloadedP99Ms,
    overloadP99Ms,
    failedAfter: after.failed,
  };
}
