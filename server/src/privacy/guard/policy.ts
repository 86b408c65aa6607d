import { GuardPolicy, type GuardMode, guardModes, defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { FindPolicy } from '../find.ts';

/** Reads the policy from the stored settings of a tenant. Invalid fields fall back to the default, one by one. */
export function guardOf(settings: unknown): GuardPolicy {
  const stored = (settings as { readonly privacy?: unknown } | null | undefined)?.privacy;
  if (typeof stored !== 'object' || stored === null) return defaultGuardPolicy;
  const fields = stored as Readonly<Record<string, unknown>>;
  const valid = Object.entries(GuardPolicy.shape).flatMap(([key, schema]) => {
    const parsed = schema.safeParse(fields[key]);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return { ...defaultGuardPolicy, ...Object.fromEntries(valid) };
}

const strictness = (mode: GuardMode) => guardModes.indexOf(mode);

/**
 * The policy of a call: that of the tenant, with the mode of the key, of the agent or of both. A stricter mode always applies, a
 * milder one only where the tenant's policy allows it; of several, the strictest. Null where the guard is off.
 */
export function resolveGuard(
  policy: GuardPolicy,
  ...callModes: readonly (GuardMode | null | undefined)[]
): GuardPolicy | null {
  const requested = callModes.filter((mode) => mode != null);
  const candidates = policy.may_loosen && requested.length > 0 ? requested : [policy.mode, ...requested];
  const mode = candidates.reduce((a, b) => (strictness(a) >= strictness(b) ? a : b));
  if (mode === 'off') return null;
  return mode === policy.mode ? policy : { ...policy, mode };
}

/** What to find under a guard policy. */
export const findPolicyOf = ({ types, threshold, allow_list, deny_list }: GuardPolicy): FindPolicy => ({
  ...(types ? { types } : {}),
  threshold,
  allowList: allow_list,
  denyList: deny_list,
});
