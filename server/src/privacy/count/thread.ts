import { parentPort } from 'node:worker_threads';
import { loadTokenizer } from '@ai-studio/documents';

// The thread that counts tokens, of one text at a time.

const tokenizer = await loadTokenizer();

parentPort?.on('message', (text: string) => parentPort?.postMessage(tokenizer.count(text), []));
