import { parentPort, workerData } from 'node:worker_threads';
import { decodeFile, type DecodeOptions } from './decode-file.ts';
import { AudioError, corrupted } from './sound.ts';
import type { ThreadReply } from './thread-reply.ts';

// The thread that decodes one file: untrusted input is read in isolation, and the thread is terminated when it takes too long.

function toRefusal(error: unknown): ThreadReply {
  const { code, message } = error instanceof AudioError ? error : corrupted();
  return { type: 'refused', code, message };
}

parentPort?.postMessage(await decodeFile(workerData as DecodeOptions).catch(toRefusal), []);
