export { keyScopes, type KeyRecord, type KeyScope, type ToolStream } from './key-record.ts';
export type { KeyRing, KeyRingOptions } from './key-ring.ts';
