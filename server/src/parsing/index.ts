export { parseDocument, type ParseDeps } from './parse.ts';
export { standardLimits } from './reader.ts';
export { createParsePool } from './sandbox/pool.ts';
