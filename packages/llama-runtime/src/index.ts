export { createLocalFiles } from './files.ts';
export { GgufError, readGgufEnd } from './gguf-header.ts';
export * from './supervisor/index.ts';
