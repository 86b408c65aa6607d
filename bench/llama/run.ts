/**
 * Compares a local model behind the whole service with node-llama-cpp called directly: prompt reading, decoding, time to the
 * first token, and the longest pause of a stream while another prompt is read. See docs/reference/performance.md.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRandomModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { reportFigure } from '../figures.ts';
import { createPrograms } from '../gateway/children.ts';
import { DEFAULT_THREADS, machine, median, readOptions } from './options.ts';
import { type BenchService, type Stream, startBenchService, stream } from './service.ts';
import { startDirect } from './start-direct.ts';

const flags = readOptions();
const { repetitions = flags.quick ? 1 : 5, threads = DEFAULT_THREADS } = flags;
/** Requests at one time. */
const PARALLEL = flags.parallel === undefined ? [1, 4, 8] : [flags.parallel];
const PROMPT = 512;
const LONG_PROMPT = 2_000;
const REPLY = flags.quick ? 32 : 128;
const CONTEXT = 2_560;
const MAX_PARALLEL = 8;
const MODEL = 'bench';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'studio-bench-llama-'));
const programs = createPrograms();

/** Result of a run. */
interface Result {
  /** Prompt tokens a second, all requests together. */
  readonly prefill: number;
  /** Tokens a second, all requests together, once all have begun. */
  readonly decode: number;
  readonly firstTokenMs: number;
}

function makeModel(dataFolder: string): string {
  const path = join(dataFolder, 'models', 'bench.gguf');
  mkdirSync(join(dataFolder, 'models'), { recursive: true });
  // Wide enough that the weights, and not the bookkeeping, are what takes time.
  const sizes = flags.quick
    ? { embedding: 512, layers: 6, heads: 8, headSize: 64, feedForward: 1_408 }
    : { embedding: 1_024, layers: 8, heads: 16, headSize: 64, feedForward: 2_816 };
  return writeRandomModel(path, { contextLength: 8_192, sizes });
}

/** So short a prompt that all streams begin together. */
const SHORT_PROMPT = 16;

/** Tokens that came after a moment, where an event stands for as many as the others. */
const tokensAfter = ({ at, completionTokens }: Stream, moment: number) =>
  (completionTokens * at.filter((one) => one > moment).length) / Math.max(1, at.length);

const firstOf = ({ at }: Stream) => at[0] ?? 0;

/** Prompts are read by requests for one token; decoding is measured apart, as the service does both at a time. */
async function throughService(service: BenchService, parallel: number): Promise<Result> {
  const all = (prompt: number, reply: number) =>
    Promise.all(Array.from({ length: parallel }, () => stream(service, MODEL, prompt, reply)));
  const from = performance.now();
  const read = await all(PROMPT, 1);
  const prefillMs = Math.max(...read.map(firstOf)) - from;
  const prompts = read.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
  const written = await all(SHORT_PROMPT, REPLY);
  const begun = Math.max(...written.map(firstOf));
  const end = Math.max(...written.map(({ at }) => at.at(-1) ?? 0));
  const made = written.reduce((sum, one) => sum + tokensAfter(one, begun), 0);
  return {
    prefill: prompts / (prefillMs / 1000),
    decode: made / ((end - begun) / 1000),
    firstTokenMs: read.reduce((sum, one) => sum + firstOf(one) - from, 0) / parallel,
  };
}

/** The longest pause of a stream while another request's long prompt is read, in milliseconds. */
async function longestGap(service: BenchService): Promise<number> {
  const others: Promise<Stream>[] = [];
  const first = await stream(service, MODEL, 64, REPLY * 4, () => {
    others.push(stream(service, MODEL, LONG_PROMPT, 2));
  });
  await Promise.all(others);
  return Math.max(...first.at.slice(1).map((moment, i) => moment - (first.at[i] ?? moment)));
}

const shown = (numbers: readonly number[], digits = 2) => {
  const all = numbers.map((n) => n.toFixed(digits));
  return numbers.length === 1 ? (all[0] ?? '') : `${median(numbers).toFixed(digits)} (${all.join(', ')})`;
};

async function main(): Promise<void> {
  const data = join(folder, 'data');
  const modelPath = makeModel(data);
  const direct = await startDirect({
    modelPath,
    threads,
    contextSize: CONTEXT * MAX_PARALLEL,
    sequences: MAX_PARALLEL,
  });
  const localModels = { threads, parallel: MAX_PARALLEL, context_length: CONTEXT, gpu: 'off' };
  const service = await startBenchService(programs, { dataFolder: data, localModels });
  say(`${machine()}, ${threads} threads, Node ${process.version}; prompts of ${PROMPT} tokens, replies of ${REPLY}`);
  await throughService(service, 1);
  await direct.run({ parallel: 1, promptTokens: PROMPT, replyTokens: 8 });
  say(
    '\n| requests | prefill tokens/s, direct | service | ratio | decode tokens/s, direct | service | ratio | first token ms |',
  );
  say('|---|---|---|---|---|---|---|---|');
  const slices: number[] = [];
  for (const parallel of PARALLEL) {
    const ours: Result[] = [];
    const theirs: { prefill: number; decode: number }[] = [];
    for (let i = 0; i < repetitions; i++) {
      const read = await direct.run({ parallel, promptTokens: PROMPT, replyTokens: 1 });
      const written = await direct.run({ parallel, promptTokens: SHORT_PROMPT, replyTokens: REPLY });
      slices.push(read.slice * 1000);
      theirs.push({ prefill: (parallel * PROMPT) / read.prefill, decode: (parallel * (REPLY - 1)) / written.decode });
      ours.push(await throughService(service, parallel));
    }
    const ratios = (key: 'prefill' | 'decode') => ours.map((one, i) => one[key] / (theirs[i]?.[key] ?? 1));
    const figure = (list: readonly { prefill: number; decode: number }[], key: 'prefill' | 'decode') =>
      median(list.map((one) => one[key])).toFixed(0);
    say(
      `| ${parallel} | ${figure(theirs, 'prefill')} | ${figure(ours, 'prefill')} | ${shown(ratios('prefill'))} | ${figure(theirs, 'decode')} | ${figure(ours, 'decode')} | ${shown(ratios('decode'))} | ${median(ours.map(({ firstTokenMs }) => firstTokenMs)).toFixed(0)} |`,
    );
    for (const key of ['prefill', 'decode'] as const)
      reportFigure({
        name: `llama: ${key} tokens/s of ${parallel} at a time ÷ direct`,
        value: median(ratios(key)),
        better: 'higher',
        tolerance: 0.25,
      });
  }
  const gaps: number[] = [];
  for (let i = 0; i < repetitions; i++) gaps.push(await longestGap(service));
  const slice = median(slices);
  const name = `llama: longest pause of a stream while ${LONG_PROMPT} tokens are read ÷ a slice of 128`;
  reportFigure({ name, value: median(gaps) / slice, better: 'lower', tolerance: 0.4 });
  say(
    `\nLongest pause of a stream while ${LONG_PROMPT} prompt tokens are read: ${shown(gaps, 0)} ms, ${(median(gaps) / slice).toFixed(1)} times a slice of 128 tokens (${slice.toFixed(0)} ms). Targets: prefill ≥ 0.9, decode ≥ 0.95, pause ≤ 3 slices.`,
  );
  direct.stop();
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await programs.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
