export { ensureDefaultTenant } from './default-tenant.ts';
export { deleteKey } from './delete-key.ts';
export { issueFirstKey, registerInitialKey } from './first-keys.ts';
export { issueKey, type KeyContext } from './issue-key.ts';
export type { KeyRecord, KeyScope } from './key-record.ts';
export { createKeyRing, type KeyRing } from './key-ring.ts';
export { listKeys } from './list-keys.ts';
