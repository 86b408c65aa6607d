/**
 * How soon a call is served where calls wait for their turn, the most urgent first: `interactive`, somebody waits for the answer; `batch`,
 * it was handed in to be done some time; `ingest`, work of the service by itself, such as the vectors of documents.
 */
export const callPriorities = ['interactive', 'batch', 'ingest'] as const;
export type CallPriority = (typeof callPriorities)[number];
