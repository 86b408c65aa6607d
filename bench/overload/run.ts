/**
 * Sends four times what an engine of a fixed capacity can answer, and compares with the same service that has less to do: how much is
 * answered, how long that takes, and what a refused request costs. See docs/reference/performance.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFigure } from '../figures.ts';
import { createPrograms, nextMessage, sleep } from '../gateway/children.ts';
import { oursLimited } from '../gateway/contenders/ours.ts';
import type { EngineMessage, EngineMode, EngineReport } from '../gateway/engine.ts';
import type { Job, JobResult, Target } from '../gateway/load.ts';
import { describeMachine, planCores } from '../gateway/machine.ts';
import { bodySizes, requestBody } from '../gateway/payload.ts';
import { table } from '../gateway/report.ts';
import { PLAIN } from '../gateway/workloads.ts';
import { type OverloadFigures, overloadFigures, type OverloadRun, type OverloadWorkload } from './measure.ts';

/** An engine that takes 16 requests at one time, a fifth of a second each: 80 a second. */
const PLACES = 16;
const SERVICE_MS = 200;
const CAPACITY = (PLACES * 1000) / SERVICE_MS;
/** How long a burst may wait; what stands for longer is an overload. */
const QUEUE_MS = 1_000;
/** Until the line of the burst is gone. */
const SETTLE_MS = 4 * QUEUE_MS;
const READY_MS = 60_000;
const WHOLE_RUN_MS = 15 * 60_000;

const workloads: readonly OverloadWorkload[] = [
  { name: 'whole replies', tokens: 0 },
  { name: 'streams of 100 tokens', tokens: 100 },
];

const quick = process.argv.includes('--quick');
const measureMs = quick ? 6_000 : 20_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const gateway = (name: string) => fileURLToPath(new URL(`../gateway/${name}`, import.meta.url));
const machine = describeMachine();
const cores = planCores();
const programs = createPrograms();
const folder = mkdtempSync(join(tmpdir(), 'studio-overload-'));

async function cleanUp(): Promise<void> {
  await programs.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function installCleanUp(): void {
  const abort = () => void cleanUp().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abort);
  setTimeout(abort, WHOLE_RUN_MS).unref();
}

/** The engine, the generator and the service. */
async function startAll() {
  const engine = programs.start(process.execPath, [gateway('engine.ts')], { core: cores.engine, channel: true });
  const announced = await nextMessage<EngineReport>(engine);
  if (!('port' in announced)) throw new Error('the engine did not say where it listens');
  const load = programs.start(process.execPath, [gateway('load.ts')], { core: cores.load, channel: true });
  const { program, target } = await oursLimited({ places: PLACES, queueMs: QUEUE_MS }).start({
    programs,
    core: cores.gateway,
    enginePort: announced.port,
    folder,
    cache: folder,
    openFiles: machine.openFiles,
    profile: null,
  });
  const run = (job: Job): Promise<JobResult> => {
    const result = nextMessage<JobResult>(load);
    load.child.send(job);
    return result;
  };
  const setMode = async (mode: EngineMode) => {
    const ready = nextMessage<EngineReport>(engine);
    engine.child.send({ mode, model: PLAIN } satisfies EngineMessage);
    await ready;
  };
  const awaitReady = async (body: string) => {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      const { done } = await run({ kind: 'once', target, watch: [], bodies: [body] });
      if (done === 1) return;
      if (program.child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the service does not answer\n${program.output()}`);
      await sleep(200);
    }
  };
  return { run, setMode, awaitReady, target, watch: () => program.pids() };
}
type Running = Awaited<ReturnType<typeof startAll>>;

async function measure({ run, setMode, awaitReady, target, watch }: Running, { tokens }: OverloadWorkload) {
  const body = requestBody(bodySizes['1.3 kB'], { model: PLAIN, stream: tokens > 0, seed: 1 }).toString('base64');
  await setMode({ kind: 'limited', places: PLACES, serviceMs: SERVICE_MS, tokens });
  await awaitReady(body);
  const common: { target: Target; bodies: readonly string[]; watch: readonly number[] } = {
    target,
    bodies: [body],
    watch: watch(),
  };
  const rate = (times: number, warmMs: number) =>
    run({ ...common, kind: 'rate', coarse: true, perSecond: CAPACITY * times, warmMs, measureMs });
  const unloaded = await rate(0.25, 2_000);
  const peak = await run({ ...common, kind: 'closed', connections: 2 * PLACES, warmMs: 2_000, measureMs });
  const overload = await rate(4, SETTLE_MS);
  const after = await rate(0.25, 1_000);
  return { unloaded, peak, overload, after } satisfies OverloadRun;
}

const number = (value: number, digits = 2) => value.toFixed(digits);

function report(figures: ReadonlyMap<string, OverloadFigures>): void {
  const rows = [...figures].map(([name, f]) => [
    name,
    number(f.goodput),
    `${number(f.p99)} (${number(f.overloadP99Ms, 0)} ÷ ${number(f.unloadedP99Ms, 0)} ms)`,
    `${number(f.refusedCost, 3)} (${number(f.refusedMicros, 0)} ÷ ${number(f.servedMicros, 0)} µs)`,
    number(f.refusedPerSecond, 0),
    String(f.failedAfter),
  ]);
  const head = ['', 'goodput ÷ peak', 'p99 ÷ unloaded', 'CPU refused ÷ served', 'refused/s', 'failed after'];
  say(`\n${table([head, ...rows])}\n`);
  for (const [name, { goodput, p99, refusedCost }] of figures) {
    const figure = (what: string, value: number, better: 'higher' | 'lower', tolerance: number) =>
      reportFigure({ name: `overload: ${name}, ${what}`, value, better, tolerance });
    figure('answers at four times the capacity ÷ peak', goodput, 'higher', 0.1);
    figure('p99 of answered ÷ unloaded', p99, 'lower', 0.25);
    figure('CPU of a refused ÷ an answered request', refusedCost, 'lower', 0.4);
  }
}

async function main(): Promise<void> {
  say(`${machine.cores} cores (${machine.cpu}), Node ${machine.node}, load ${machine.loadAverage}`);
  say(`An engine of ${PLACES} places, ${SERVICE_MS} ms a request: ${CAPACITY} requests/s; ${4 * CAPACITY} are sent.`);
  const running = await startAll();
  const figures = new Map<string, OverloadFigures>();
  for (const workload of workloads)
    figures.set(workload.name, overloadFigures(await measure(running, workload), measureMs));
  report(figures);
}

if (process.platform !== 'linux') {
  process.stderr.write('The benchmark reads CPU times from /proc and runs on Linux only.\n');
  process.exit(1);
}
installCleanUp();
try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
process.exit();
