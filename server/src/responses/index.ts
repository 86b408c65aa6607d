export { admitResponse, type ResponsesDeps } from './answer.ts';
export { decodeFile, fileTextAt, type ReadFile } from './files.ts';
export { toJsonBytes } from './json-bytes.ts';
export { createResponseStore, startResponseRetention } from './store.ts';
