import { expect, test } from 'vitest';
import type { JobResult } from '../gateway/load.ts';
import { overloadFigures } from './measure.ts';

const result = (more: Partial<JobResult>): JobResult => ({
  done: 0,
  failed: 0,
  refused: 0,
  failure: null,
  windowMs: 1_000,
  cpuMicros: 0,
  ownCpuMicros: 0,
  rssBeforeKb: 0,
  rssOpenKb: 0,
  latencies: [],
  intact: 0,
  tokensMissing: 0,
  body: '',
  ...more,
});
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('an overload is set beside the service with less to do', () => {
  const figures = overloadFigures(
    {
      unloaded: result({ latencies: times(100, 200) }),
      peak: result({ done: 160, windowMs: 2_000, cpuMicros: 160 * 50 }),
      // The last answers come after the window.
      overload: result({
        done: 144,
        refused: 480,
        windowMs: 2_600,
        cpuMicros: 144 * 50 + 480 * 5,
        latencies: [...times(99, 300), 500],
      }),
      after: result({ failed: 3 }),
    },
    2_000,
  );
  expect(figures).toMatchObject({ goodput: 0.9, p99: 2.5, refusedCost: 0.1, refusedPerSecond: 240, failedAfter: 3 });
});
