import { parseArgs } from 'node:util';
import { type Damage, writeBrokenModel } from './broken-files.ts';
import { writeEmbeddingModel, writeRandomModel, writeRerankModel, writeScriptedModel } from './index.ts';

// Writes one file by hand: node packages/llama-runtime/test/gguf/make.ts KIND FILE

const broken = (damage: Damage) => (path: string) => writeBrokenModel(path, damage);
const KINDS = new Map<string, (path: string) => string>([
  ['random', (path) => writeRandomModel(path)],
  ['scripted', (path) => writeScriptedModel(path, { routes: { answer: '안녕하세요. 무엇을 도와드릴까요?' } })],
  ['embedding', (path) => writeEmbeddingModel(path)],
  ['rerank', (path) => writeRerankModel(path, { relevant: 'tax' })],
  ['truncated', broken('truncated')],
  ['magic', broken('magic')],
  ['architecture', broken('architecture')],
  ['missing-tensor', broken('missing-tensor')],
  ['template-without-tools', broken('template-without-tools')],
]);

const [kind = '', file] = parseArgs({ allowPositionals: true }).positionals;
const write = KINDS.get(kind);
if (write === undefined || file === undefined) {
  process.stderr.write(
    `node packages/llama-runtime/test/gguf/make.ts KIND FILE\nKIND is one of: ${[...KINDS.keys()].join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  process.stdout.write(`${write(file)}\n`);
}
