export { ensureDefaultTenant } from './default-tenant.ts';
export { deleteKey } from './delete-key.ts';
export { issueFirstKey, registerInitialKey } from './first-keys.ts';
export { issueKey, type KeyContext, type NewKey } from './issue-key.ts';
export { keyScopes, type KeyRecord, type KeyScope, type ToolStream } from './key-record.ts';
export { createKeyRing, type KeyRing } from './key-ring.ts';
export { listKeys } from './list-keys.ts';
export type { KeyChangeDeps } from './key-changes.ts';
export type { KeyInfo } from './key-row.ts';
