import { Worker } from 'node:worker_threads';
import { createGatherer, type Decoded } from './decode.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';
import { AudioError } from './sound.ts';
import type { ThreadAnswer } from './thread-answer.ts';

export interface DecoderOptions {
  /** Files that are decoded at the same time. */
  readonly size: number;
  /** Of one file. */
  readonly timeoutMs: number;
  readonly maxSeconds: number;
}

/** Decodes files of people in threads of their own. */
export interface AudioDecoder {
  /** One channel of the wanted sampling rate. Rejects with AudioError, or the signal's reason. */
  decode(path: string, sampleRate: number, signal: AbortSignal): Promise<Decoded>;
  /** Ends what is being decoded. Safe to repeat. */
  close(): Promise<void>;
}

/** Memory of a thread's JavaScript objects; the sound itself lies outside of it. */
const HEAP_MB = 512;

export function createAudioDecoder({ size, timeoutMs, maxSeconds }: DecoderOptions): AudioDecoder {
  const running = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let used = 0;
  let closed = false;

  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (used < size) return void used++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(signal.reason as Error);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    signal.removeEventListener('abort', leave);
  };
  const exit = () => {
    const next = waiting.shift();
    if (next === undefined) used--;
    else next();
  };

  async function inThread(path: string, sampleRate: number, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: { path, sampleRate, maxSeconds },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--no-warnings'],
    });
    running.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const late = setTimeout(
      () =>
        reject(
          new AudioError('too_long', `The audio could not be decoded within ${Math.round(timeoutMs / 1000)} seconds`),
        ),
      timeoutMs,
    );
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', resolve);
    worker.once('error', (cause) =>
      reject(new AudioError('corrupted', 'The audio file is damaged and cannot be read', { cause })),
    );
    worker.once('exit', () => reject(new AudioError('corrupted', 'The audio file is damaged and cannot be read')));
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      running.delete(worker);
      await worker.terminate();
    }
  }

  async function run(path: string, sampleRate: number, signal: AbortSignal): Promise<Decoded> {
    const answer = await inThread(path, sampleRate, signal);
    if (answer.type === 'decoded') return answer;
    if (answer.type === 'refused') throw new AudioError(answer.code, answer.message);
    const { container } = answer;
    const { sink, end } = createGatherer(sampleRate, maxSeconds);
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    await decodeWithFfmpeg({ path, container, sampleRate, maxSeconds, signal: within }, sink);
    return { samples: end(), sampleRate, container };
  }

  return {
    async decode(path, sampleRate, signal) {
      if (closed) throw new Error('the decoder is closed');
      await enter(signal);
      try {
        if (closed) throw new Error('the decoder is closed');
        return await run(path, sampleRate, signal);
      } finally {
        exit();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}
