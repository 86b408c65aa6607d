/**
 * The same work with node-llama-cpp's own bindings and nothing around them: prompts read in batches, then one token for each
 * sequence a step, drawn greedily. A process of its own, which gets its jobs over IPC.
 */
import type { NativeContext, NativeSampler } from '../../packages/llama-runtime/src/child/native.ts';
import { openRuntime } from '../../packages/llama-runtime/src/child/runtime.ts';

export interface DirectSettings {
  readonly modelPath: string;
  readonly threads: number;
  /** Tokens of all sequences together. */
  readonly contextSize: number;
  readonly sequences: number;
}

export interface DirectJob {
  readonly parallel: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
}

/** Seconds. */
export interface DirectResult {
  /** Until all prompts were read. */
  readonly prefill: number;
  /** From then on. */
  readonly decode: number;
  /** One step of 128 prompt tokens. */
  readonly slice: number;
}

const BATCH = 512;
const SLICE = 128;

interface Loaded {
  readonly context: NativeContext;
  readonly sampler: NativeSampler;
}

async function load({ modelPath, threads, contextSize, sequences }: DirectSettings): Promise<Loaded> {
  const { bindings } = await openRuntime({ gpu: 'off', runtimeDir: null, log: () => undefined });
  const model = new bindings.AddonModel(modelPath, {
    addonExports: bindings,
    gpuLayers: 0,
    useMmap: true,
    onLoadProgress: () => undefined,
  });
  await model.init();
  const context = new bindings.AddonContext(model, {
    contextSize,
    batchSize: BATCH,
    sequences,
    threads,
    flashAttention: 'auto',
  });
  await context.init();
  const sampler = new bindings.AddonSampler(model);
  sampler.applyConfig({ temperature: 0 });
  return { context, sampler };
}

const seconds = (from: number) => (performance.now() - from) / 1000;

async function read(context: NativeContext, sequence: number, tokens: Uint32Array, step: number): Promise<number> {
  let logits = 0;
  for (let at = 0; at < tokens.length; at += step) {
    const part = tokens.subarray(at, at + step);
    context.initBatch(part.length);
    const [last = 0] = context.addToBatch(sequence, at, part, Uint32Array.of(part.length - 1));
    await context.decodeBatch();
    logits = last;
  }
  return logits;
}

/** Tokens that stand for bytes: the same for every sequence would be no matter, others make it honest. */
const promptOf = (sequence: number, length: number) =>
  Uint32Array.from({ length }, (_, i) => 33 + ((i * 7 + sequence * 13) % 90));

async function run({ context, sampler }: Loaded, job: DirectJob): Promise<DirectResult> {
  const { parallel, promptTokens, replyTokens } = job;
  const next: number[] = [];
  let from = performance.now();
  for (let sequence = 0; sequence < parallel; sequence++) {
    const logits = await read(context, sequence, promptOf(sequence, promptTokens), BATCH);
    next.push(await context.sampleToken(logits, sampler));
  }
  const prefill = seconds(from);
  from = performance.now();
  for (let step = 0; step < replyTokens - 1; step++) {
    context.initBatch(parallel);
    const places = next.map(
      (token, sequence) =>
        context.addToBatch(sequence, promptTokens + step, Uint32Array.of(token), Uint32Array.of(0))[0] ?? 0,
    );
    await context.decodeBatch();
    for (const [sequence, place] of places.entries()) next[sequence] = await context.sampleToken(place, sampler);
  }
  const decode = seconds(from);
  for (let sequence = 0; sequence < parallel; sequence++) context.disposeSequence(sequence);
  from = performance.now();
  await read(context, 0, promptOf(99, SLICE), SLICE);
  const slice = seconds(from);
  context.disposeSequence(0);
  return { prefill, decode, slice };
}

process.once('message', (settings: DirectSettings) => {
  void load(settings).then((loaded) => {
    process.on('message', (job: DirectJob) => void run(loaded, job).then((result) => process.send?.(result)));
    process.send?.('ready');
  });
});
process.once('disconnect', () => process.exit(0));
