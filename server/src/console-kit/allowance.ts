import { type Allowance, personSubject } from '../conversations/index.ts';
import { readGuard, readSettings } from '../identity/index.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import type { RateLimiter, RateLimits } from '../ports/rate-limiter.ts';
import { resolveGuard } from '../privacy/index.ts';
import type { AnyCall } from './route.ts';

/** Where it stands what a tenant allows its people. */
export interface AllowanceSource {
  readonly db: Database;
  /** Of the configuration, where the tenant has set none. */
  readonly defaultLimits: RateLimits;
}

/** What each person of a tenant may use, and the model that they begin with where the tenant has chosen one. */
export async function allowanceOf(
  { db, defaultLimits }: AllowanceSource,
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

/** For calls that count like a request of an API key. */
export interface CountedCalls extends AllowanceSource {
  readonly limiter: RateLimiter;
}

/** Counts a call of a person, and resolves with what they may use. Throws StudioError `rate_limited`. */
export async function reserve(source: CountedCalls, { ctx, person }: AnyCall): Promise<Allowance> {
  const allowance = await allowanceOf(source, ctx.tenantId);
  const subject = personSubject({ tenantId: ctx.tenantId, userId: person.userId });
  const { allowed, resetSeconds } = await source.limiter.reserve(subject, allowance.limits, 0);
  if (allowed) return allowance;
  throw new StudioError('rate_limited', `Your rate limit is reached; try again in ${resetSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });
}
