/**
 * How soon the service is ready on a folder that has its data, and how much memory it and its PostgreSQL hold when nobody asks:
 * node bench/start/run.ts --help. See docs/reference/performance.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportFigure } from '../figures.ts';
import { createPrograms, sleep } from '../gateway/children.ts';
import { describeMachine } from '../gateway/machine.ts';
import { type ServiceMemory, readMemory } from './memory.ts';
import { readOptions } from './options.ts';
import { type Installation, install, type RunningService } from './service.ts';
import { chat, useEverything } from './work.ts';

const options = readOptions(process.argv.slice(2));
const root = join(import.meta.dirname, '../..');
const say = (line: string) => void process.stdout.write(`${line}\n`);
const programs = createPrograms();
const folder = mkdtempSync(join(tmpdir(), 'studio-bench-start-'));

async function cleanUp(): Promise<void> {
  await programs.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const spread = (list: readonly number[], digits = 0) =>
  `${median(list).toFixed(digits)} (${Math.min(...list).toFixed(digits)}–${Math.max(...list).toFixed(digits)})`;

async function once<T>(installation: Installation, look: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await installation.start(programs);
  try {
    return await look(service);
  } finally {
    await service.program.stop();
  }
}

/** A Node.js that does nothing, from its start to its end, in milliseconds: what a start is compared with. */
function emptyProcessMs(): number {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - began;
}

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly firstChatMs: number;
}

async function timeStart({ readyMs, cpuMs, call }: RunningService): Promise<Start> {
  const began = performance.now();
  await chat(call, { stream: false, length: 200 });
  return { readyMs, cpuMs, firstChatMs: performance.now() - began };
}

interface Measured {
  readonly starts: Start[];
  idle: ServiceMemory | null;
  used: ServiceMemory | null;
}

const nothingYet = (): Measured => ({ starts: [], idle: null, used: null });

/** Memory after one chat and a pause. */
const measureIdle = (installation: Installation) =>
  once(installation, async ({ program, call }) => {
    await chat(call, { stream: false, length: 200 });
    await sleep(options.idleMs);
    return readMemory(program.pids());
  });

/** Memory after work and a pause. */
const measureUsed = (installation: Installation) =>
  once(installation, async ({ program, call }) => {
    await useEverything(call);
    await sleep(options.idleMs);
    return readMemory(program.pids());
  });

function installations(): Promise<Installation[]> {
  const { before } = options;
  const checkouts = { ...(before === null ? {} : { before }), ours: root };
  return Promise.all(Object.entries(checkouts).map(([name, checkout]) => install(name, checkout, join(folder, name))));
}

const memoryLine = (title: string, { service, postgres, others }: ServiceMemory) =>
  `  ${title.padEnd(16)} service ${service.pss.toFixed(0)} MB (resident ${service.rss.toFixed(0)}), PostgreSQL ` +
  `${postgres.pss.toFixed(0)} MB (${postgres.rss.toFixed(0)})${others.pss > 1 ? `, others ${others.pss.toFixed(0)} MB` : ''}`;

function show(name: string, { starts, idle, used }: Measured): void {
  say(`${name}:`);
  say(`  ready after      ${spread(starts.map(({ readyMs }) => readyMs))} ms`);
  say(`  CPU until then   ${spread(starts.map(({ cpuMs }) => cpuMs))} ms, with PostgreSQL`);
  say(`  first chat       ${spread(starts.map(({ firstChatMs }) => firstChatMs))} ms`);
  if (idle !== null) say(memoryLine('idle', idle));
  if (used !== null) say(memoryLine('idle after work', used));
}

function report(empty: readonly number[], { starts, idle, used }: Measured): void {
  const figure = (name: string, value: number, tolerance: number) =>
    reportFigure({ name: `start: ${name}`, value, better: 'lower', tolerance });
  figure('ready ÷ an empty Node.js', median(starts.map(({ readyMs }) => readyMs)) / median(empty), 0.3);
  figure('CPU until ready ÷ time of an empty Node.js', median(starts.map(({ cpuMs }) => cpuMs)) / median(empty), 0.25);
  for (const [when, memory] of [
    ['idle', idle],
    ['idle after work', used],
  ] as const) {
    if (memory === null) continue;
    figure(`resident memory of the service, ${when}, MB`, memory.service.rss, 0.1);
    figure(`memory of PostgreSQL, ${when}, MB`, memory.postgres.pss, 0.15);
  }
}

async function main(): Promise<void> {
  const { cores, cpu, memoryGb, kernel, node, loadAverage } = describeMachine();
  say(`${cores} cores (${cpu}), ${memoryGb} GB, Linux ${kernel}, Node ${node}, load ${loadAverage}`);
  const all = await installations();
  const measured = new Map(all.map((one) => [one, nothingYet()]));
  const empty: number[] = [];
  // The first makes the bundle and the data, the second compiles what a start on them needs.
  for (let round = -2; round < options.starts; round++)
    for (const [installation, { starts }] of measured) {
      const start = await once(installation, timeStart);
      if (round < 0) continue;
      starts.push(start);
      empty.push(emptyProcessMs());
    }
  for (const [installation, one] of measured) one.idle = await measureIdle(installation);
  for (const [installation, one] of measured) one.used = await measureUsed(installation);
  say(`An empty Node.js: ${spread(empty)} ms.`);
  for (const [{ name }, one] of measured) show(name, one);
  const ours = [...measured].find(([{ name }]) => name === 'ours')?.[1];
  if (ours !== undefined) report(empty, ours);
}

if (process.platform !== 'linux') {
  process.stderr.write('The benchmark reads memory from /proc and runs on Linux only.\n');
  process.exit(1);
}
try {
  await main();
} finally {
  await cleanUp();
}
