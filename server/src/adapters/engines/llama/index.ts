export { createLlamaEngine } from './engine.ts';
export * from './supervisor/index.ts';
