/**
 * Tries a real llama-server of llama.cpp as the engine of local models, behind the whole service, with made models: chats whole and
 * streamed, images by a made projector, schemas, vectors, scores, and what goes wrong. With `--bench` it compares the bindings and the
 * service with llama-bench as well. See docs/reference/model-servers.md and performance.md.
 *
 *     node bench/llama/server.ts --server /usr/bin/llama-server --bench /usr/bin/llama-bench
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeRandomModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { createPrograms } from '../gateway/children.ts';
import { DEFAULT_THREADS, machine, median, readOptions } from './options.ts';
import { makeCheckedModels, putModel, serverChecks } from './server-checks.ts';
import { type BenchService, startBenchService, stream } from './service.ts';
import { type Direct, startDirect } from './start-direct.ts';

const flags = readOptions();
const { server = 'llama-server', threads = DEFAULT_THREADS, repetitions: rounds = 3 } = flags;
const PROMPT = 512;
const REPLY = 128;
const CONTEXT = 2_560;

const folder = mkdtempSync(join(tmpdir(), 'studio-llama-server-'));
const programs = createPrograms();
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Tokens a second of reading and of writing, one request at a time. */
interface Speed {
  readonly prefill: number;
  readonly decode: number;
}

async function benchProgram(program: string, model: string): Promise<Speed> {
  const args = ['-m', model, '-p', PROMPT, '-n', REPLY, '-t', threads, '-r', 1, '-o', 'json'].map(String);
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1024 * 1024 });
  const results = JSON.parse(stdout) as { n_prompt: number; n_gen: number; avg_ts: number }[];
  const of = (fits: (one: { n_prompt: number; n_gen: number }) => boolean) => results.find(fits)?.avg_ts ?? 0;
  return { prefill: of((one) => one.n_gen === 0), decode: of((one) => one.n_prompt === 0) };
}

async function throughService(service: BenchService, model: string): Promise<Speed> {
  const from = performance.now();
  const read = await stream(service, model, PROMPT, 1);
  const readMs = (read.at[0] ?? 0) - from;
  const { at, completionTokens } = await stream(service, model, 16, REPLY);
  const events = at.length - 1;
  const decodeMs = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return {
    prefill: read.promptTokens / (readMs / 1000),
    decode: (completionTokens * events) / at.length / (decodeMs / 1000),
  };
}

async function throughBindings(direct: Direct): Promise<Speed> {
  const read = await direct.run({ parallel: 1, promptTokens: PROMPT, replyTokens: 1 });
  const written = await direct.run({ parallel: 1, promptTokens: 16, replyTokens: REPLY });
  return { prefill: PROMPT / read.prefill, decode: (REPLY - 1) / written.decode };
}

async function compare(service: BenchService, program: string, model: string): Promise<void> {
  const direct = await startDirect({ modelPath: model, threads, contextSize: CONTEXT, sequences: 1 });
  const ways: Readonly<Record<string, () => Promise<Speed>>> = {
    'llama-bench': () => benchProgram(program, model),
    'the bindings of the bundled runtime': () => throughBindings(direct),
    'the service, bundled runtime': () => throughService(service, 'bundled'),
    'the service, llama-server': () => throughService(service, 'served'),
  };
  const found = new Map<string, Speed[]>(Object.keys(ways).map((name) => [name, []]));
  for (const [name, run] of Object.entries(ways)) if (name !== 'llama-bench') await run();
  for (let i = 0; i < rounds; i++) for (const [name, run] of Object.entries(ways)) found.get(name)?.push(await run());
  say(`\n${machine()}, ${threads} threads, medians of ${rounds} rounds\n`);
  say('| One request at a time | prompt tokens/s | ÷ llama-bench | reply tokens/s | ÷ llama-bench |');
  say('|---|---|---|---|---|');
  const first = found.get('llama-bench') ?? [];
  for (const [name, speeds] of found) {
    const cells = (['prefill', 'decode'] as const).flatMap((key) => [
      median(speeds.map((one) => one[key])).toFixed(0),
      median(speeds.map((one, i) => one[key] / (first[i]?.[key] ?? 1))).toFixed(2),
    ]);
    say(`| ${name} | ${cells.join(' | ')} |`);
  }
  direct.stop();
}

async function main(): Promise<number> {
  mkdirSync(join(folder, 'models'));
  const models = makeCheckedModels(folder);
  const sizes = { embedding: 1_024, layers: 8, heads: 16, headSize: 64, feedForward: 2_816 };
  const wide = ['bundled', 'served'].map((name) =>
    flags.bench === undefined
      ? ''
      : putModel(folder, `${name}.gguf`, (path) => writeRandomModel(path, { contextLength: 8_192, sizes })),
  );
  const localModels = {
    threads,
    parallel: 2,
    context_length: CONTEXT,
    gpu: 'off',
    llama_server: server,
    models: { ...models, served: { runtime: 'llama-server' } },
  };
  const service = await startBenchService(programs, { dataFolder: folder, localModels });
  let failed = 0;
  for (const [name, run] of serverChecks) {
    const how = await run(service).then(
      (found) => `ok: ${found}`,
      (error: unknown) => {
        failed++;
        return `FAILED: ${String(error)}`;
      },
    );
    say(`${name}: ${how}`);
  }
  if (flags.bench !== undefined) await compare(service, flags.bench, wide[0] ?? '');
  return failed;
}

try {
  process.exitCode = (await main()) === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await programs.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
