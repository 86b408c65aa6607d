import { parentPort, workerData } from 'node:worker_threads';
import { decodeFile, type DecodeOptions, NeedsProgram } from './decode.ts';
import type { ThreadAnswer } from './decoder.ts';
import { AudioError } from './sound.ts';

// The thread that decodes one file: what is untrusted is read apart from everything else, and ended when it takes too long.

function told(error: unknown): ThreadAnswer {
  if (error instanceof NeedsProgram) return { type: 'needs_program', container: error.container };
  if (error instanceof AudioError) return { type: 'refused', code: error.code, message: error.message };
  return { type: 'refused', code: 'corrupted', message: 'The audio file is damaged and cannot be read' };
}

try {
  const { samples, sampleRate, container } = await decodeFile(workerData as DecodeOptions);
  const answer: ThreadAnswer = { type: 'decoded', samples, sampleRate, container };
  parentPort?.postMessage(answer, [samples.buffer as ArrayBuffer]);
} catch (error) {
  parentPort?.postMessage(told(error));
}
