export { createSample, findSample, removeSample, type SampleDeps } from './samples.ts';
