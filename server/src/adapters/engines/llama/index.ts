export { createLlamaEngine } from './engine.ts';
export { type FolderFile, createLocalFiles } from './files.ts';
export * from './supervisor/index.ts';
