export { createBuiltinEngine, type BuiltinOptions } from './engine.ts';
