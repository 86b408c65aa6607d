import { parentPort, workerData } from 'node:worker_threads';
import { decodeFile, type DecodeOptions, NeedsProgram } from './decode.ts';
import { AudioError } from './sound.ts';
import type { ThreadAnswer } from './thread-answer.ts';

// The thread that decodes one file: what is untrusted is read apart from everything else, and ended when it takes too long.

function told(error: unknown): ThreadAnswer {
  if (error instanceof NeedsProgram) return { type: 'needs_program', container: error.container, format: error.format };
  if (error instanceof AudioError) return { type: 'refused', code: error.code, message: error.message };
  return { type: 'refused', code: 'corrupted', message: 'The audio file is damaged and cannot be read' };
}

const post = (answer: ThreadAnswer) => parentPort?.postMessage(answer, []);

try {
  const decoded = await decodeFile(workerData as DecodeOptions);
  post({ type: 'decoded', ...decoded });
} catch (error) {
  post(told(error));
}
