import { createOidc } from '../adapters/oidc/index.ts';
import { readSecretKey } from '../adapters/embedded/secret-key.ts';
import type { Config } from '../config/index.ts';
import {
  createFirstAdministrator,
  createPasswords,
  ensureDefaultTenant,
  issueFirstKey,
  makeSetupLink,
  registerInitialKey,
  type IdentityDeps,
  type IssuedLink,
  type PasswordCost,
  type SsoDeps,
} from '../identity/index.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import { createBus } from './store.ts';

// The part of the composition that knows people and keys, and what a first start makes of them.

/** What a start found out about keys. */
export interface FirstKeys {
  readonly tenantId: TenantId;
  /** The value of the key that this start issued: to be shown once; null when there was one before. */
  readonly issued: string | null;
  /** Whether STUDIO_INIT_API_KEY was registered by this start. */
  readonly registered: boolean;
}

/** Makes the first tenant and its first key where there are none. Throws StudioError `invalid_request` for a bad given key. */
export async function prepareKeys(
  config: Config,
  database: Database,
  log: Logger,
  initApiKey: string | null,
): Promise<FirstKeys> {
  const bus = await createBus(config, database, log);
  try {
    const tenantId = await ensureDefaultTenant({ db: database });
    const deps = { db: database, bus };
    if (initApiKey !== null) {
      return { tenantId, issued: null, registered: await registerInitialKey(deps, tenantId, initApiKey) };
    }
    const first = await issueFirstKey(deps, tenantId);
    return { tenantId, issued: first?.value ?? null, registered: false };
  } finally {
    await bus.close();
  }
}

/** What the verbs of people work with. */
export const identityOf = (config: Config, db: Database, passwordCost?: PasswordCost): IdentityDeps => ({
  db,
  passwords: createPasswords(passwordCost === undefined ? {} : { cost: passwordCost }),
  box: createSecretBox(config.secret_key ?? readSecretKey(config.data_dir)),
  now: Date.now,
});

/** The single sign-on of the configuration; null where there is none. */
export function openSso({ console: { oidc } }: Config, identity: IdentityDeps, log: Logger): SsoDeps | null {
  if (oidc === undefined) return null;
  const { issuer, client_id: clientId, client_secret: clientSecret, name } = oidc;
  return {
    ...identity,
    provider: createOidc({ issuer, clientId, clientSecret, name, log }),
    allowedDomains: oidc.allowed_domains,
    defaultRole: oidc.default_role,
  };
}

/**
 * Where nobody has an account: makes the given administrator, or a link with which somebody makes theirs.
 * Throws StudioError `invalid_request` for a password that is too easy to guess.
 */
export async function prepareFirstPerson(
  config: Config,
  database: Database,
  administrator: { readonly email: string; readonly password: string } | null,
): Promise<IssuedLink | null> {
  const deps = identityOf(config, database);
  if (administrator !== null) {
    await createFirstAdministrator(deps, administrator);
    return null;
  }
  return makeSetupLink(deps);
}
