export { createLlamaEngine } from './engine.ts';
export { createLocalFiles } from '../../../../../packages/llama-runtime/src/files.ts';
export { GgufError, readGgufEnd } from '../../../../../packages/llama-runtime/src/gguf-header.ts';
export * from '../../../../../packages/llama-runtime/src/supervisor/index.ts';
