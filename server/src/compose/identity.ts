import { createAccessTokens, createOidc } from '../adapters/oidc/index.ts';
import { createMailer } from '../adapters/smtp/mailer.ts';
import { readSecretKey } from '../adapters/embedded/secret-key.ts';
import type { Config } from '../config/index.ts';
import {
  createFirstAdministrator,
  createKeyRing,
  createPasswords,
  type FirstKeys,
  createSetupLink,
  prepareKeys,
  type IdentityDeps,
  type KeyRing,
  type IssuedLink,
  type PasswordCost,
  type SsoDeps,
  type TokenPeopleDeps,
} from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import type { Database } from '../ports/database.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Base } from './parts.ts';
import { createBus, type Data } from './store.ts';

// The part of the composition that knows people and keys, and what a first start makes of them.

/** Makes the first tenant and its first key where there are none. */
export async function prepareFirstKeys(
  config: Config,
  db: Database,
  log: Logger,
  initApiKey: string | null,
): Promise<FirstKeys> {
  const bus = await createBus(config, db, log);
  try {
    return await prepareKeys({ db, bus }, initApiKey);
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
  return createSetupLink(deps);
}

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

/** The mail server of the configuration; null where there is none. */
export function openMailer({ config: { mail }, parts }: Base): Mailer | null {
  if (mail === undefined) return null;
  return parts.own('mail', createMailer({ url: mail.smtp_url, from: mail.from }));
}

/** People whom access tokens of the single sign-on name; null where there is none, or no address that the tokens could be for. */
export function openTokenPeople(
  { console: { oidc }, server }: Config,
  { db }: IdentityDeps,
  log: Logger,
): TokenPeopleDeps | null {
  if (oidc === undefined || server.public_url === undefined) return null;
  const { issuer, client_id: clientId, client_secret: clientSecret } = oidc;
  return {
    db,
    tokens: createAccessTokens({ issuer, clientId, clientSecret, log }),
    allowedDomains: oidc.allowed_domains,
    defaultRole: oidc.default_role,
  };
}

/** Opens the API keys as this process knows them. */
export async function openKeys({ config, log, parts }: Base, data: Data): Promise<KeyRing> {
  const keys = parts.own('API keys', createKeyRing({ ...data, log, keyGraceMs: config.database.key_grace_s * 1_000 }));
  await keys.start();
  return keys;
}
