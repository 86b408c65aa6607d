export { createBuiltinEngine } from './engine.ts';
