import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Person, PersonActor } from '../../kernel/actor.ts';
import type { TokenPerson } from '../../identity/index.ts';
import type { KeyAccess } from '../../http-kit/key-access.ts';
import type { McpScope } from '../index.ts';
import { mcpPaths } from './address.ts';

/** People for whom programs call, by tokens of the single sign-on. */
export interface TokenPeople {
  readonly issuer: string;
  /** Audiences that tokens may name, beside the addresses of the server. */
  readonly audiences: readonly string[];
  /** Scopes that clients ask the issuer for. */
  readonly scopes: readonly string[];
  /** Rejects as `personOfToken`. */
  find(call: {
    readonly token: string;
    readonly audiences: readonly string[];
    readonly tenantId: string | null;
    readonly origin: { readonly address: string; readonly userAgent: string; readonly requestId: string };
  }): Promise<TokenPerson>;
  actorOf(person: Person, rights: Actor['rights']): Promise<PersonActor>;
}

export interface CallerDeps {
  readonly keyAccess: KeyAccess;
  /** Null where no single sign-on is configured, or no address of the service, which tokens name. */
  readonly people: TokenPeople | null;
  readonly configuredUrl: string | null;
}

/** Who calls, by a key or a token. */
export interface KnownCaller {
  readonly actor: Actor;
  readonly scopes: ReadonlySet<McpScope>;
}

const mcpScopes: readonly McpScope[] = ['retrieval', 'utilities', 'agents'];
/** What people need for what keys have scopes for. Source: decisions section 7. */
const actionOf: Readonly<Record<McpScope, ConsoleAction>> = {
  retrieval: 'collections.search',
  utilities: 'documents.parse',
  agents: 'agents.use',
};

const MAX_USER_AGENT_LENGTH = 300;
/** Three parts in base64url: no API key has dots. Source: RFC 7515 section 7.1. */
const JWT = /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i;

const textOf = (header: string | string[] | undefined): string | null => (typeof header === 'string' ? header : null);

async function personCaller(
  { people, configuredUrl }: CallerDeps & { readonly people: TokenPeople },
  request: FastifyRequest,
  token: string,
): Promise<KnownCaller> {
  const { headers, ip: address, id: requestId, record } = request;
  const site = (configuredUrl ?? '').replace(/\/+$/, '');
  const { person, actions, rights } = await people.find({
    token,
    audiences: [...mcpPaths.map((path) => site + path), ...people.audiences],
    tenantId: textOf(headers['x-tenant-id']),
    origin: { address, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH), requestId },
  });
  record.tenantId = person.tenantId;
  const actor = await people.actorOf(person, rights);
  return { actor, scopes: new Set(mcpScopes.filter((scope) => actions.has(actionOf[scope]))) };
}

/** Who makes a request. Rejects with StudioError `unauthenticated`, `forbidden`, `unavailable`. */
export async function callerOf(deps: CallerDeps, request: FastifyRequest, reply: FastifyReply): Promise<KnownCaller> {
  const { keyAccess, people } = deps;
  const [, token] = JWT.exec(request.headers.authorization ?? '') ?? [];
  if (people !== null && token !== undefined) return personCaller({ ...deps, people }, request, token);
  const key = await keyAccess.authenticate(request, reply, null);
  return { actor: keyAccess.actor(key), scopes: new Set(mcpScopes.filter((scope) => key.scopes.has(scope))) };
}
