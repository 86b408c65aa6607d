import type { TenantId } from '../kernel/context.ts';
import { ensureDefaultTenant } from './default-tenant.ts';
import { issueFirstKey, registerInitialKey } from './first-keys.ts';
import type { KeyChangeDeps } from './key-changes.ts';

/** Result of {@link prepareKeys}. */
export interface FirstKeys {
  readonly tenantId: TenantId;
  /** The value of the key that this start issued: to be shown once; null when there was one before. */
  readonly issued: string | null;
  /** Whether the given key was registered by this start. */
  readonly registered: boolean;
}

/**
 * Makes the first tenant where there is none, and its first key: the given one (STUDIO_INIT_API_KEY), or a new one. Throws StudioError
 * `invalid_request` for a bad given key.
 */
export async function prepareKeys(deps: KeyChangeDeps, initApiKey: string | null): Promise<FirstKeys> {
  const tenantId = await ensureDefaultTenant(deps);
  if (initApiKey !== null)
    return { tenantId, issued: null, registered: await registerInitialKey(deps, tenantId, initApiKey) };
  const first = await issueFirstKey(deps, tenantId);
  return { tenantId, issued: first?.value ?? null, registered: false };
}
