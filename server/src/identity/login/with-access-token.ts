import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { Actor, Person } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { AccessTokens, ExternalIdentity } from '../../ports/single-sign-on.ts';
import type { CallOrigin } from '../audit-actor.ts';
import { findActiveMember } from '../people/active-member.ts';
import { findLoginTenant } from './login-tenant.ts';
import { type PersonLinkDeps, userOfIdentity } from './with-sso.ts';

export interface TokenPeopleDeps extends PersonLinkDeps {
  readonly tokens: AccessTokens;
}

/** A person for whom a program acts, in one of their tenants. */
export interface TokenPerson {
  readonly person: Person;
  readonly actions: ReadonlySet<ConsoleAction>;
  readonly rights: Actor['rights'];
}

export interface TokenCall {
  readonly token: string;
  /** Names of this service, of which the token must be for one. */
  readonly audiences: readonly string[];
  /** The tenant that the program asks for; null for the last one of the person. */
  readonly tenantId: string | null;
  readonly origin: CallOrigin;
}

/** A token that is valid is not asked for anew, whoever it names: that is no 401. */
async function userOf(deps: TokenPeopleDeps, identity: ExternalIdentity, origin: CallOrigin): Promise<string> {
  try {
    return await userOfIdentity(deps, identity, origin);
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'unauthenticated') throw error;
    throw new StudioError('forbidden', `${error.message}, or sign in to the console first`, { cause: error });
  }
}

/**
 * The person whom an access token of the single sign-on names, within what their role lets them do at this moment; found, or made, as a
 * sign-in to the console does. Errors: `unauthenticated` for a token that is not valid here, `forbidden` for people who may not be in
 * that tenant, `unavailable`.
 */
export async function personOfToken(deps: TokenPeopleDeps, call: TokenCall): Promise<TokenPerson> {
  const { db } = deps;
  const identity = await deps.tokens.verify(call.token, call.audiences);
  const userId = await userOf(deps, identity, call.origin);
  const tenantId = call.tenantId ?? (await findLoginTenant(db.query, userId))?.tenantId ?? null;
  const person = tenantId === null ? null : { tenantId: tenantId as TenantId, keyId: null, userId };
  const member = person === null ? null : await findActiveMember(deps, person);
  if (person === null || member === null) throw new StudioError('forbidden', 'You are not a member of this tenant');
  return { person, ...member };
}
