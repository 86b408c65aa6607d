import { Worker } from 'node:worker_threads';
import type { Decoded } from './decode-file.ts';
import { createFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { AudioError, corrupted } from './sound.ts';
import type { ThreadReply } from './thread-reply.ts';

export interface DecoderOptions {
  /** Maximum number of files that are decoded at the same time. */
  readonly concurrency: number;
  /** Time limit for one file. */
  readonly timeoutMs: number;
  readonly maxSeconds: number;
  /** Name or path of the program ffmpeg, for formats that no library with a free licence decodes. */
  readonly ffmpeg: string;
}

/** The file to decode, and the file to write: PCM of one channel and 16 bits at `sampleRate`, little endian, without a header. */
export interface DecodeTask {
  readonly path: string;
  readonly target: string;
  readonly sampleRate: number;
}

/** Encodes sound of one channel and 16 bits as AAC. */
export type EncodeAac = Ffmpeg['encodeAac'];

/** Decodes files, each in a thread of its own. */
export interface AudioDecoder {
  /** Rejects with AudioError or the signal's reason. The caller removes the target file, also after a failure. */
  decode(task: DecodeTask, signal: AbortSignal): Promise<Decoded>;
  /** What encodes sound as AAC; null where the program for it is not installed. */
  aacEncoder(): Promise<EncodeAac | null>;
  /** Ends the threads. Safe to repeat. */
  close(): Promise<void>;
}

/** JavaScript heap of a thread; the samples themselves lie outside of it. */
const HEAP_MB = 512;

export function createAudioDecoder({ concurrency, timeoutMs, maxSeconds, ffmpeg }: DecoderOptions): AudioDecoder {
  const program = createFfmpeg(ffmpeg);
  const workers = new Set<Worker>();
  const slotQueue: (() => void)[] = [];
  let slotsInUse = 0;
  let closed = false;

  const acquireSlot = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (slotsInUse < concurrency) return void slotsInUse++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      slotQueue.splice(slotQueue.indexOf(resolve), 1);
      reject(signal.reason as Error);
    };
    slotQueue.push(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    signal.removeEventListener('abort', onAbort);
  };
  const releaseSlot = () => {
    const startNext = slotQueue.shift();
    if (startNext === undefined) slotsInUse--;
    else startNext();
  };

  const timedOut = () =>
    new AudioError('too_long', `The audio could not be decoded within ${Math.round(timeoutMs / 1000)} seconds`);

  async function decodeInThread(task: DecodeTask, signal: AbortSignal): Promise<ThreadReply> {
    signal.throwIfAborted();
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: { ...task, maxSeconds },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--no-warnings'],
    });
    workers.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<ThreadReply>();
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
    const reply = await decodeInThread(task, signal);
    if (reply.type === 'decoded') return reply;
    if (reply.type === 'refused') throw new AudioError(reply.code, reply.message);
    const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { container, format } = reply;
    try {
      return {
        seconds: await program.decode({ ...task, container, format, maxSeconds, signal: limitedSignal }),
        container,
      };
    } catch (error) {
      throw limitedSignal.aborted && !signal.aborted ? timedOut() : error;
    }
  }

  return {
    aacEncoder: async () => ((await program.isInstalled()) ? program.encodeAac : null),
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
