import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { TenantId } from './context.ts';
import type { RateLimits } from './rate-limits.ts';

export type { RateLimits };

/** Who acts, for which tenant: the holder of an API key, or a person in the console. Exactly one of the ids is set. */
export interface Principal {
  readonly tenantId: TenantId;
  readonly keyId: string | null;
  readonly userId: string | null;
}

/** Who acts, with rights and limits. */
export interface Actor extends Principal {
  /** Ids of the models that may be used; null for all. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly limits: RateLimits;
  /** Policy for personal values on their way to models; null where the guard is off. */
  readonly guard: GuardPolicy | null;
}

/** What rate limits count by: the key, or the person within the tenant. */
export const subjectOf = ({ tenantId, keyId, userId }: Principal): string => keyId ?? `person/${tenantId}/${userId}`;
