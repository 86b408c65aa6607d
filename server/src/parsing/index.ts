export { type ParseJobs, createParseJobs } from './jobs/jobs.ts';
export { keepRemovingExpired } from './jobs/retention.ts';
export { startRunner } from './jobs/runner.ts';
export { parseDocument, type ParseDeps } from './parse.ts';
export { standardLimits } from './reader.ts';
export { createRenderer } from './render/renderer.ts';
export { createParsePool } from './sandbox/pool.ts';
