import { type ExpiryDeps, type ExpiringRows, startExpiry } from '../../jobs/expired-rows.ts';
import type { Logger } from '../../kernel/log.ts';
import { blobKey } from './record.ts';

/** Documents that were read in the background, with their files. */
export const expiringParses: ExpiringRows = { table: 'document_parses', keyOf: blobKey, name: 'documents' };

/** Removes the documents whose time is over, now and every ten minutes. Returns what ends that; safe to repeat. */
export const startParseRetention = (deps: ExpiryDeps & { readonly log: Logger }): (() => Promise<void>) =>
  startExpiry(deps, expiringParses);
