export { createLlamaEngine } from './engine.ts';
export { createLocalFiles } from './files.ts';
export * from './supervisor/index.ts';
