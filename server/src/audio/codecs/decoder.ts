import { Worker } from 'node:worker_threads';
import type { Decoded } from './decode.ts';
import { createFfmpeg } from './ffmpeg.ts';
import { AudioError } from './sound.ts';
import type { ThreadAnswer } from './thread-answer.ts';

export interface DecoderOptions {
  /** Files that are decoded at the same time. */
  readonly size: number;
  /** Of one file. */
  readonly timeoutMs: number;
  readonly maxSeconds: number;
  /** The program, or its path; for what no library of a free licence decodes. */
  readonly ffmpeg: string;
}

/** What is to be decoded, and the file to write: one channel of 16 bits of the wanted rate, little endian, without a head. */
export interface DecodeTask {
  readonly path: string;
  readonly target: string;
  readonly sampleRate: number;
}

/** Decodes files of people in threads of their own. */
export interface AudioDecoder {
  /** Rejects with AudioError, or the signal's reason; what was written by then is for the caller to remove. */
  decode(task: DecodeTask, signal: AbortSignal): Promise<Decoded>;
  /** Ends what is being decoded. Safe to repeat. */
  close(): Promise<void>;
}

/** Memory of a thread's JavaScript objects; the sound itself lies outside of it. */
const HEAP_MB = 512;

export function createAudioDecoder({ size, timeoutMs, maxSeconds, ffmpeg }: DecoderOptions): AudioDecoder {
  const program = createFfmpeg(ffmpeg);
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

  const late = () =>
    new AudioError('too_long', `The audio could not be decoded within ${Math.round(timeoutMs / 1000)} seconds`);

  async function inThread(task: DecodeTask, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: { ...task, maxSeconds },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--no-warnings'],
    });
    running.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const timer = setTimeout(() => reject(late()), timeoutMs);
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
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      running.delete(worker);
      await worker.terminate();
    }
  }

  async function run(task: DecodeTask, signal: AbortSignal): Promise<Decoded> {
    const answer = await inThread(task, signal);
    if (answer.type === 'decoded') return answer;
    if (answer.type === 'refused') throw new AudioError(answer.code, answer.message);
    const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { container, format } = answer;
    try {
      return { seconds: await program.decode({ ...task, container, format, maxSeconds, signal: within }), container };
    } catch (error) {
      throw within.aborted && !signal.aborted ? late() : error;
    }
  }

  return {
    async decode(task, signal) {
      if (closed) throw new Error('the decoder is closed');
      await enter(signal);
      try {
        if (closed) throw new Error('the decoder is closed');
        return await run(task, signal);
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
