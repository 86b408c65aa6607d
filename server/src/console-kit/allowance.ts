import type { Allowance } from '../conversations/index.ts';
import { readGuard, readSettings } from '../identity/index.ts';
import { resolveGuard } from '../privacy/index.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Database } from '../ports/database.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';

export interface AllowanceDeps {
  readonly db: Database;
  /** Of the configuration, where the tenant has set none. */
  readonly defaultLimits: RateLimits;
}

/** What each person of a tenant may use, and the model that they begin with where the tenant has chosen one. */
export async function allowanceOf(
  { db, defaultLimits }: AllowanceDeps,
  tenantId: TenantId,
): Promise<Allowance & { readonly defaultModel: string | null }> {
  const [settings, policy] = await Promise.all([readSettings({ db }, tenantId), readGuard({ db }, tenantId)]);
  return {
    models: settings.allowed_models === null ? null : new Set(settings.allowed_models),
    limits: {
      requestsPerMinute: settings.requests_per_minute ?? defaultLimits.requestsPerMinute,
      tokensPerMinute: settings.tokens_per_minute ?? defaultLimits.tokensPerMinute,
    },
    guard: resolveGuard(policy),
    defaultModel: settings.default_model,
  };
}
