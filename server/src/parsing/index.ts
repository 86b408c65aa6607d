// Forms of documents, for the routes that give them.
export {
  type DoclingFormat,
  type DocumentMaker,
  doclingFormats,
  type WantedForm,
  type WrittenFormat,
} from '@ai-studio/documents';
export { type ExtractDeps, extractFromRead, extractMetered, type ReadExtractDeps } from './extract/index.ts';
export { columnsOf, type ExtractSchema, readExtractSchema } from './extract/schema.ts';
export { type ParseJobs, type ParseState, createParseJobs } from './jobs/jobs.ts';
export { takeUpParses } from './jobs/record.ts';
export { type MeteredParseDeps, parseMetered, parseMeteredAs } from './metering.ts';
export { startParseRetention } from './jobs/retention.ts';
export { type ConfiguredReader, createLayoutParser, type LayoutParser } from './layout/index.ts';
export { requireVision } from './layout/require-vision.ts';
export { requireReader, type RequireReaderDeps } from './layout/require-reader.ts';
export { startRunner } from './jobs/runner.ts';
export { type OwnDocuments, createOwnDocuments } from './own/documents.ts';
export { type PagePicture, createPictures } from './own/pictures.ts';
export { parseFailures } from './parse-failures.ts';
export { makeFile, renderDocument, renderedName, writtenTypes } from './render.ts';
export { type HowToRead, parseAs, parseDocument, type ParseDeps, type ReadFile } from './parse.ts';
