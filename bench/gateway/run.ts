/**
 * Compares this service with the least a gateway can be, with nginx and with Portkey: side by side, taking turns, on
 * the same core, in front of the same fake engine. See docs/reference/performance.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPrograms, nextMessage, type Program, sleep } from './children.ts';
import { type Contender, type RunningContender, Skipped, type StartContext } from './contenders/contender.ts';
import { nginx } from './contenders/nginx.ts';
import { before, ours } from './contenders/ours.ts';
import { portkey } from './contenders/portkey.ts';
import { raw } from './contenders/raw.ts';
import type { EngineMessage, EngineMode, EngineReport } from './engine.ts';
import type { Job, JobResult, Target } from './load.ts';
import { describeMachine, planCores } from './machine.ts';
import { readOptions } from './options.ts';
import { bodySizes, messagesDigest, requestBody } from './payload.ts';
import { reportRatios } from './ratios.ts';
import { createResults, type Figures, figuresOf, remarks, type Sample, workloadTable } from './report.ts';
import { targetTable } from './targets.ts';
import { loadProfiles, planWorkloads, RENAMED, type Workload } from './workloads.ts';

const READY_MS = 60_000;
const WHOLE_RUN_MS = 40 * 60_000;
/** Before the first workload, contenders are given as many times what they get before each. */
const FIRST_WARM = 5;

const options = readOptions(process.argv.slice(2));
const say = (line: string) => void process.stdout.write(`${line}\n`);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const machine = describeMachine();
const cores = planCores();
const programs = createPrograms();
const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'));
const cache = here('../../node_modules/.cache/bench-gateway');

async function cleanUp(): Promise<void> {
  await programs.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

/** Cleans up on a signal, and when the run takes far too long. */
function installCleanUp(): void {
  const abort = (reason: string) => {
    process.stderr.write(`\n${reason}\n`);
    void cleanUp().finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => abort('stopped'));
  setTimeout(() => abort('the benchmark took too long'), WHOLE_RUN_MS).unref();
}

interface Harness {
  readonly context: StartContext;
  setMode(mode: EngineMode): Promise<void>;
  run(job: Job): Promise<JobResult>;
}

async function startHarness(): Promise<Harness> {
  const engine = programs.start(process.execPath, [here('engine.ts')], { core: cores.engine, channel: true });
  const announced = await nextMessage<EngineReport>(engine);
  if (!('port' in announced)) throw new Error('the engine did not say where it listens');
  const load = programs.start(process.execPath, [here('load.ts')], { core: cores.load, channel: true });
  mkdirSync(cache, { recursive: true });
  const { profile } = options;
  return {
    context: {
      programs,
      core: cores.gateway,
      enginePort: announced.port,
      folder,
      cache,
      openFiles: machine.openFiles,
      profile,
    },
    async setMode(mode) {
      const ready = nextMessage<EngineReport>(engine);
      engine.child.send({ mode, model: RENAMED } satisfies EngineMessage);
      await ready;
    },
    async run(job) {
      const result = nextMessage<JobResult>(load);
      load.child.send(job);
      return result;
    },
  };
}

const small = requestBody(bodySizes['1.3 kB'], { model: RENAMED, stream: false, seed: 1 });
const large = requestBody(bodySizes['325 kB'], { model: RENAMED, stream: false, seed: 2 });

/** Waits until the contender answers, then sees that the messages reach the engine unchanged, large ones too. */
async function check(harness: Harness, { program, target }: RunningContender): Promise<void> {
  await harness.setMode({ kind: 'digest' });
  const deadline = Date.now() + READY_MS;
  for (const body of [small, large]) {
    for (;;) {
      const job = { kind: 'once', target, watch: [], bodies: [body.toString('base64')] } as const;
      const result = await harness.run(job);
      if (result.done === 1 && result.body.includes(messagesDigest(body))) break;
      if (program.child.exitCode !== null || Date.now() > deadline) {
        throw new Error(
          `does not pass requests on (${result.failure ?? result.body.slice(0, 300)})\n${program.output()}`,
        );
      }
      await sleep(200);
    }
  }
}

/**
 * Has the contenders answer for a while before anything is measured. The time before each workload is not enough for the first one: on a
 * slow machine it took a quarter more than a larger one right after it.
 */
async function warmUp(harness: Harness, running: Map<string, RunningContender>, measureMs: number): Promise<void> {
  await harness.setMode({ kind: 'whole' });
  const bodies = [small.toString('base64')];
  for (const { target } of running.values())
    await harness.run({ kind: 'closed', connections: 32, warmMs: 0, measureMs, target, watch: [], bodies });
}

async function launch(harness: Harness, contender: Contender): Promise<RunningContender> {
  const running = await contender.start(harness.context);
  await check(harness, running);
  return running;
}

async function measure(
  harness: Harness,
  workload: Workload,
  target: Target,
  program: Program | null,
): Promise<Figures> {
  await harness.setMode(workload.mode);
  const watch = program?.pids() ?? [];
  const result = await harness.run({ ...workload.job, target, watch, bodies: workload.bodies });
  return figuresOf(workload, result);
}

/** Guarded calls run several times the code of plain ones, and fewer of them come in the same time: to compile it takes longer. */
const GUARDED_WARM = 3;
const longWarmed = (workload: Workload): Workload =>
  workload.job.kind === 'closed'
    ? { ...workload, job: { ...workload.job, warmMs: GUARDED_WARM * workload.job.warmMs } }
    : workload;

/** The engine alone, to see that it is not what the rest measures. */
async function checkEngine(harness: Harness, target: Target, workload: Workload): Promise<void> {
  const { perSecond = 0, generatorBusy } = await measure(harness, workload, target, null);
  const limit = generatorBusy > 0.9 ? ', held back by the generator' : '';
  say(`The engine alone, ${workload.name}: ${Math.round(perSecond).toLocaleString('en-US')} requests/s${limit}.`);
}

/** Runs one workload on all contenders in turn, as often as wanted. */
async function runShared(
  harness: Harness,
  workload: Workload,
  running: Map<string, RunningContender>,
  direct: Target,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { name, kind } = workload;
  for (let repetition = 0; repetition < workload.repetitions; repetition += 1) {
    const keep = (contender: Sample['contender'], figures: Figures) =>
      samples.push({ workload: name, kind, contender, repetition, figures });
    if (kind === 'latency') keep('direct', await measure(harness, workload, direct, null));
    for (const [contender, { program, target, guarded, responses }] of running) {
      keep(contender as Sample['contender'], await measure(harness, workload, target, program));
      if (workload.guarded && guarded)
        keep('guarded', await measure(harness, longWarmed(workload), await guarded(), program));
      if (workload.responses && responses) {
        const { job } = workload;
        const asked = {
          ...workload,
          bodies: workload.responses,
          job: job.kind === 'streams' ? { ...job, repeats: true } : job,
        };
        keep('responses', await measure(harness, asked, responses, program));
      }
    }
  }
  return samples;
}

/** Measures memory in a fresh process each time: one that has worked before has freed memory to reuse. */
async function runFresh(harness: Harness, workload: Workload, contenders: readonly Contender[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { name, kind } = workload;
  for (const contender of contenders) {
    const { program, target } = await launch(harness, contender);
    await harness.setMode({ kind: 'whole' });
    // Code is loaded and compiled before memory is looked at.
    await harness.run({
      kind: 'closed',
      connections: 32,
      warmMs: 0,
      measureMs: 1_500,
      target,
      watch: [],
      bodies: [small.toString('base64')],
    });
    samples.push({
      workload: name,
      kind,
      contender: contender.name,
      repetition: 0,
      figures: await measure(harness, workload, target, program),
    });
    await program.stop();
  }
  return samples;
}

/** All that may take part, in the order in which they take turns. */
const all = [raw, nginx, portkey, ...(options.before === null ? [] : [before(options.before)]), ours];
/** One that was named by its folder takes part whatever else was chosen. */
const isChosen = ({ name }: Contender) => name === 'before' || (options.only?.includes(name) ?? true);

async function startAll(harness: Harness): Promise<Map<string, RunningContender>> {
  const running = new Map<string, RunningContender>();
  for (const contender of all.filter(isChosen)) {
    try {
      running.set(contender.name, await launch(harness, contender));
      say(`${contender.name}: ${contender.description}`);
    } catch (error) {
      if (!(error instanceof Skipped)) throw new Error(`${contender.name}: ${String(error)}`, { cause: error });
      say(`${contender.name}: left out. ${error.message}`);
    }
  }
  return running;
}

function planned(): Workload[] {
  const { workloads, sizes, repetitions } = options;
  const effort = loadProfiles[options.effort];
  return planWorkloads({
    ...effort,
    sizes: effort.sizes.filter((size) => sizes?.includes(size) ?? true),
    repetitions: repetitions ?? effort.repetitions,
  }).filter(({ kind }) => workloads === null || workloads.includes(kind));
}

async function main(): Promise<void> {
  const { cores: count, cpu, memoryGb, kernel, node, openFiles, loadAverage } = machine;
  say(
    `${count} cores (${cpu}), ${memoryGb} GB, Linux ${kernel}, Node ${node}, ${openFiles} open files, load ${loadAverage}`,
  );
  say(
    cores.gateway === null
      ? 'Parts share all cores: fewer than four, or no taskset. Trust nothing but the CPU times.'
      : `Core ${cores.gateway}: the contenders, one at a time. Core ${cores.engine}: the engine. Core ${cores.load}: the generator.`,
  );
  const harness = await startHarness();
  const workloads = planned();
  const direct: Target = { port: harness.context.enginePort, path: '/v1/chat/completions', headers: {} };
  const [first] = workloads;
  if (first?.kind === 'whole') await checkEngine(harness, direct, first);
  const running = await startAll(harness);
  await warmUp(harness, running, FIRST_WARM * loadProfiles[options.effort].warmMs);
  const names = ['direct', ...running.keys(), 'guarded', 'responses'];
  const samples: Sample[] = [];

  const show = (workload: Workload, found: readonly Sample[]) => {
    samples.push(...found);
    say(`\n${workloadTable(workload, createResults(samples), names)}`);
    for (const remark of remarks(found)) say(`! ${remark}`);
  };
  for (const workload of workloads.filter(({ kind }) => kind !== 'memory')) {
    show(workload, await runShared(harness, workload, running, direct));
  }
  await Promise.all([...running.values()].map(({ program }) => program.stop()));
  const contenders = all.filter(({ name }) => running.has(name));
  for (const workload of workloads.filter(({ kind }) => kind === 'memory')) {
    show(workload, await runFresh(harness, workload, contenders));
  }
  say(targetTable(workloads, createResults(samples)));
  reportRatios(workloads, createResults(samples));
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify({ machine, cores, samples }, null, 2)}\n`);
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
