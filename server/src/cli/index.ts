// What the entry of the program loads, from the sources or from their bundle.
export { processOutput } from './output.ts';
export { run } from './run.ts';
