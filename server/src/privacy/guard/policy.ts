import { GuardPolicy, type GuardMode, guardModes, openPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { FindPolicy } from '../find.ts';

/** The policy within the stored settings of a tenant. What cannot be read falls back to the standard, field by field. */
export function guardOf(settings: unknown): GuardPolicy {
  const stored = (settings as { readonly privacy?: unknown } | null | undefined)?.privacy;
  if (typeof stored !== 'object' || stored === null) return openPolicy;
  const given = stored as Readonly<Record<string, unknown>>;
  const read = Object.entries(GuardPolicy.shape).flatMap(([key, form]) => {
    const parsed = form.safeParse(given[key]);
    return parsed.success ? [[key, parsed.data] as const] : [];
  });
  return { ...openPolicy, ...Object.fromEntries(read) };
}

const strictness = (mode: GuardMode) => guardModes.indexOf(mode);

/**
 * What holds for a call: the tenant's policy with the mode of the key, the agent or both, as far as they may have one of
 * their own: a stricter one always, a milder one where the tenant says so; of several the strictest. Null: nothing is looked for.
 */
export function resolveGuard(
  policy: GuardPolicy,
  ...own: readonly (GuardMode | null | undefined)[]
): GuardPolicy | null {
  const asked = own.filter((mode) => mode != null);
  const among = policy.may_loosen && asked.length > 0 ? asked : [policy.mode, ...asked];
  const mode = among.reduce((a, b) => (strictness(a) >= strictness(b) ? a : b));
  if (mode === 'off') return null;
  return mode === policy.mode ? policy : { ...policy, mode };
}

/** What is looked for under a policy. */
export const findPolicyOf = ({ types, threshold, allow_list, deny_list }: GuardPolicy): FindPolicy => ({
  ...(types ? { types } : {}),
  threshold,
  allowList: allow_list,
  denyList: deny_list,
});
