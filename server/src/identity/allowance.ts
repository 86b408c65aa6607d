import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { Actor, RateLimits } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { limitsOf, withDefaultLimits } from '../kernel/rate-limits.ts';
import type { Database } from '../ports/database.ts';
import { resolveGuard } from '../privacy/index.ts';
import type { KeyRecord } from './key-record.ts';
import { readGuard, readSettings } from './tenant-settings.ts';

export interface AllowanceDeps {
  readonly db: Database;
  /** Limits of the configuration, where a tenant or a key has set none. */
  readonly defaultLimits: RateLimits;
}

/** Models and limits of each person of a tenant. */
export interface Allowance {
  /** Ids of the models; null for all. */
  readonly models: ReadonlySet<string> | null;
  readonly limits: RateLimits;
  /** Policy for personal values; null where the guard is off. */
  readonly guard: GuardPolicy | null;
  /** The model that is preselected for people, where the tenant has chosen one. */
  readonly defaultModel: string | null;
}

export async function allowanceOf({ db, defaultLimits }: AllowanceDeps, tenantId: TenantId): Promise<Allowance> {
  const [settings, policy] = await Promise.all([readSettings({ db }, tenantId), readGuard({ db }, tenantId)]);
  return {
    models: settings.allowed_models === null ? null : new Set(settings.allowed_models),
    limits: withDefaultLimits(limitsOf(settings), defaultLimits),
    guard: resolveGuard(policy),
    defaultModel: settings.default_model,
  };
}

/** A person of a tenant as the one who acts. */
export async function personActor(
  deps: AllowanceDeps,
  { tenantId, userId }: { readonly tenantId: TenantId; readonly userId: string },
): Promise<Actor> {
  const { models: allowedModels, limits, guard } = await allowanceOf(deps, tenantId);
  return { tenantId, keyId: null, userId, allowedModels, limits, guard };
}

/** The holder of an API key as the one who acts. */
export type KeyActor = (key: KeyRecord) => Actor;

/** `defaults` are the limits where a key has none of its own. The same key record gives the same actor. */
export function createKeyActor(defaults: RateLimits): KeyActor {
  const actors = new WeakMap<KeyRecord, Actor>();
  return (key) => {
    let actor = actors.get(key);
    if (actor) return actor;
    const { id: keyId, tenantId, allowedModels, guard } = key;
    actor = { tenantId, keyId, userId: null, allowedModels, limits: withDefaultLimits(key.limits, defaults), guard };
    actors.set(key, actor);
    return actor;
  };
}

/** Whether a key has ended, at a time in milliseconds since 1970. */
export const isExpired = ({ expiresAt }: Pick<KeyRecord, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
