import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { type Actor, noRights, type Person, type PersonActor, type RateLimits, type Right } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { limitsOf, withDefaultLimits } from '../kernel/rate-limits.ts';
import type { Database } from '../ports/database.ts';
import { resolveGuard } from '../privacy/index.ts';
import type { KeyRecord } from './key-record.ts';
import type { SignedIn } from './signed-in.ts';
import { readGuard, readSettings } from './tenant-settings.ts';

export interface AllowanceDeps {
  readonly db: Database;
  /** Of the configuration, where a tenant or a key has set none. */
  readonly defaultLimits: RateLimits;
}

/** What each person of a tenant may use. */
export interface Allowance {
  /** Ids of the models; null for all. */
  readonly models: ReadonlySet<string> | null;
  readonly limits: RateLimits;
  /** Policy for personal values; null where the guard is off. */
  readonly guard: GuardPolicy | null;
  /** The model that a person begins with, where the tenant has chosen one. */
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

/** What the role of a person allows beyond what is their own. */
export function rightsOf({ role, actions }: Pick<SignedIn, 'role' | 'actions'>): Actor['rights'] {
  const rights = new Set<Right>();
  if (role === 'administrator') rights.add('collections.all').add('documents.all');
  for (const action of ['agents.approve', 'chat.settings', 'prompts.share', 'prompts.manage'] as const)
    if (actions.has(action)) rights.add(action);
  return rights;
}

/** The actor of a person of a tenant. */
export async function personActor(
  deps: AllowanceDeps,
  person: Person,
  rights: Actor['rights'] = noRights,
): Promise<PersonActor> {
  const { models: allowedModels, limits, guard } = await allowanceOf(deps, person.tenantId);
  return { ...person, rights, allowedModels, limits, guard };
}

/** Returns the actor of an API key: its holder. */
export type KeyActor = (key: KeyRecord) => Actor;

/** `defaults` are the limits where a key has none of its own. The same key record gives the same actor. */
export function createKeyActor(defaults: RateLimits): KeyActor {
  const known = new WeakMap<KeyRecord, Actor>();
  return (key) => {
    let actor = known.get(key);
    if (actor) return actor;
    const { id: keyId, tenantId, holderId: userId, allowedModels, guard } = key;
    const limits = withDefaultLimits(key.limits, defaults);
    actor = { tenantId, keyId, userId, rights: noRights, allowedModels, limits, guard };
    known.set(key, actor);
    return actor;
  };
}

/** Whether a key has ended, at a time in milliseconds since 1970. */
export const isExpired = ({ expiresAt }: Pick<KeyRecord, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
