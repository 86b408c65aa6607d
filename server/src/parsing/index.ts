export { type ParseJobs, createParseJobs } from './jobs/jobs.ts';
export { takeUpParses } from './jobs/record.ts';
export { type MeteredParseDeps, parseMetered } from './metering.ts';
export { startParseRetention } from './jobs/retention.ts';
export { startRunner } from './jobs/runner.ts';
export { type OwnDocuments, createOwnDocuments } from './own/documents.ts';
export { type PagePicture, createPictures } from './own/pictures.ts';
export { parseFailures } from './parse-failures.ts';
export { parseDocument, type ParseDeps } from './parse.ts';
