import { parentPort, workerData } from 'node:worker_threads';
import { decodeFile, type DecodeOptions } from './decode-file.ts';
import { AudioError, corrupted } from './sound.ts';
import type { ThreadAnswer } from './thread-answer.ts';

// The thread that decodes one file: what is untrusted is read apart from everything else, and ended when it takes too long.

function refusal(error: unknown): ThreadAnswer {
  const { code, message } = error instanceof AudioError ? error : corrupted();
  return { type: 'refused', code, message };
}

parentPort?.postMessage(await decodeFile(workerData as DecodeOptions).catch(refusal), []);
