export { createLlamaEngine } from './engine.ts';
