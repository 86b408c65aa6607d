import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseFigures } from '../all/saved.ts';
import { FIGURES_VARIABLE, reportFigure } from '../figures.ts';
import { reportRatios } from './ratios.ts';
import { createResults, type Figures, type Sample } from './report.ts';
import { loadProfiles, planWorkloads } from './workloads.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratios-'));
  vi.stubEnv(FIGURES_VARIABLE, join(folder, 'figures'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const workloads = planWorkloads(loadProfiles.short);
const samplesOf = (contender: Sample['contender'], figures: Partial<Figures>): Sample[] =>
  workloads.map(({ name, kind }) => ({
    workload: name,
    kind,
    contender,
    repetition: 0,
    figures: { busy: 1, generatorBusy: 0, failed: 0, failure: null, ...figures },
  }));
const reported = () => parseFigures(readFileSync(join(folder, 'figures'), 'utf8'));

test('a contender that took part is compared with, one that was left out is not', () => {
  const samples = [
    ...samplesOf('raw', { perCore: 100, cpuMicros: 10, kbPerStream: 40 }),
    ...samplesOf('portkey', { perCore: 10, cpuMicros: 100, kbPerStream: 100 }),
    ...samplesOf('ours', { perCore: 60, cpuMicros: 12, kbPerStream: 30 }),
  ];
  reportRatios(workloads, createResults(samples));
  const values = Object.fromEntries(reported().map(({ name, value, better }) => [name, [value, better]]));
  expect(values['gateway: whole reply, 43 kB body, requests a core ÷ raw']).toEqual([0.6, 'higher']);
  expect(values['gateway: whole reply, 325 kB body, requests a core ÷ portkey']).toEqual([6, 'higher']);
  expect(values['gateway: 150 streams of 50 tokens/s, CPU a chunk ÷ raw']).toEqual([1.2, 'lower']);
  expect(values['gateway: 150 streams of 50 tokens/s, key renamed, CPU a chunk ÷ raw']).toEqual([1.2, 'lower']);
  expect(values['gateway: 2,000 slow streams, key renamed, kB a stream ÷ raw']).toEqual([0.75, 'lower']);
  expect(Object.keys(values).filter((name) => name.includes('nginx') || name.includes('300 requests/s'))).toEqual([]);
});

test('guarded calls are compared with plain ones of the same service', () => {
  const samples = [...samplesOf('ours', { cpuMicros: 100 }), ...samplesOf('guarded', { cpuMicros: 150 })];
  reportRatios(workloads, createResults(samples));
  expect(reported().map(({ name, value, better }) => [name, value, better])).toEqual([
    ['gateway: whole reply, 4 kB body, CPU a guarded request ÷ plain', 1.5, 'lower'],
  ]);
});

test('what is no number is an error, not a figure', () => {
  const none = { name: 'a: b', value: Number.NaN, better: 'higher', tolerance: 0.1 } as const;
  expect(() => reportFigure(none)).toThrow('a: b');
});

test('a bench that nobody asked for figures reports none', () => {
  vi.stubEnv(FIGURES_VARIABLE, '');
  expect(() => reportFigure({ name: 'a: b', value: Number.NaN, better: 'higher', tolerance: 0.1 })).not.toThrow();
});
