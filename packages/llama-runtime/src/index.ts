export { createLocalFiles } from './files.ts';
export { GgufError, readGgufFileSize } from './gguf-header.ts';
export * from './supervisor/index.ts';
