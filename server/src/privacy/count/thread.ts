import { parentPort } from 'node:worker_threads';
import { loadTokenizer } from '@ai-studio/documents';

// The thread that counts tokens, of one text at a time.

/** A message to the thread: a text. Its answer is the number of its tokens. */
export type CountTask = string;

const tokenizer = await loadTokenizer();

parentPort?.on('message', (text: CountTask) => parentPort?.postMessage(tokenizer.count(text), []));
