export { type AdmittedResponse, admitResponse, type ResponsesDeps, type ResponseTarget } from './answer.ts';
export type { ReadFile } from './files.ts';
export { createResponseStore, startResponseRetention } from './store.ts';
