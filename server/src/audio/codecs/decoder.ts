import { Worker } from 'node:worker_threads';
import type { Decoded } from './decode-file.ts';
import { createFfmpeg } from './ffmpeg.ts';
import { AudioError, corrupted } from './sound.ts';
import type { ThreadAnswer } from './thread-answer.ts';

export interface DecoderOptions {
  /** Files that are decoded at the same time. */
  readonly size: number;
  /** Of one file. */
  readonly timeoutMs: number;
  readonly maxSeconds: number;
  /** The program ffmpeg, or its path; for what no library of a free licence decodes. */
  readonly ffmpeg: string;
}

/** What is to be decoded, and the file to write: one channel of 16 bits of the wanted rate, little endian, without a head. */
export interface DecodeTask {
  readonly path: string;
  readonly target: string;
  readonly sampleRate: number;
}

/** Decodes files in threads of their own. */
export interface AudioDecoder {
  /** Rejects with AudioError, or the signal's reason; what was written by then is for the caller to remove. */
  decode(task: DecodeTask, signal: AbortSignal): Promise<Decoded>;
  /** Ends the threads. Safe to repeat. */
  close(): Promise<void>;
}

/** Memory of a thread's JavaScript objects; the sound itself lies outside of it. */
const HEAP_MB = 512;

export function createAudioDecoder({ size, timeoutMs, maxSeconds, ffmpeg }: DecoderOptions): AudioDecoder {
  const program = createFfmpeg(ffmpeg);
  const workers = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let slotsInUse = 0;
  let closed = false;

  const acquireSlot = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (slotsInUse < size) return void slotsInUse++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopWaiting = () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(signal.reason as Error);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', stopWaiting, { once: true });
    await promise;
    signal.removeEventListener('abort', stopWaiting);
  };
  const releaseSlot = () => {
    const next = waiting.shift();
    if (next === undefined) slotsInUse--;
    else next();
  };

  const timedOut = () =>
    new AudioError('too_long', `The audio could not be decoded within ${Math.round(timeoutMs / 1000)} seconds`);

  async function decodeInThread(task: DecodeTask, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: { ...task, maxSeconds },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--no-warnings'],
    });
    workers.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const timer = setTimeout(() => reject(timedOut()), timeoutMs);
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(corrupted(cause)));
    worker.once('exit', () => reject(corrupted()));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      workers.delete(worker);
      await worker.terminate();
    }
  }

  async function decodeTask(task: DecodeTask, signal: AbortSignal): Promise<Decoded> {
    const answer = await decodeInThread(task, signal);
    if (answer.type === 'decoded') return answer;
    if (answer.type === 'refused') throw new AudioError(answer.code, answer.message);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { container, format } = answer;
    try {
      return { seconds: await program.decode({ ...task, container, format, maxSeconds, signal: limited }), container };
    } catch (error) {
      throw limited.aborted && !signal.aborted ? timedOut() : error;
    }
  }

  return {
    async decode(task, signal) {
      if (closed) throw new Error('the decoder is closed');
      await acquireSlot(signal);
      try {
        if (closed) throw new Error('the decoder is closed');
        return await decodeTask(task, signal);
      } finally {
        releaseSlot();
      }
    },
    async close() {
      closed = true;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}
