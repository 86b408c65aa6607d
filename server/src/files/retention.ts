import { type ExpiryDeps, type ExpiringRows, startExpiry } from '../jobs/expired-rows.ts';
import type { Logger } from '../kernel/log.ts';
import { blobKey } from './store.ts';

const expiringFiles: ExpiringRows = {
  table: 'files',
  keyOf: ({ tenantId, id }) => blobKey(tenantId, id),
  name: 'files',
};

/** Removes the files whose time is over, now and every ten minutes. Returns what ends that; safe to repeat. */
export const startFileRetention = (deps: ExpiryDeps & { readonly log: Logger }): (() => Promise<void>) =>
  startExpiry(deps, expiringFiles);
