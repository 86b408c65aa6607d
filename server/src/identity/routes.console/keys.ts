import { type ApiKey, ApiKeyList, IssuedApiKey, NewApiKey } from '@ai-studio/contract/console/keys.ts';
import { deleteKey, issueKey, type KeyDetails, listKeyDetails, readSettings, type SignedIn } from '../index.ts';
import { fieldsOf, limitsOf, withDefaultLimits } from '../../kernel/rate-limits.ts';
import { StudioError } from '../../kernel/errors.ts';
import { usageOfKeys } from '../../usage/index.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

const USAGE_MS = 30 * 24 * 3_600_000;

/** The keys that a person may see: administrators all of the tenant, others their own. */
const creatorOf = (person: SignedIn) => (person.actions.has('keys.all') ? null : person.userId);

const iso = (date: Date | null) => date?.toISOString() ?? null;

function toApiKey(key: KeyDetails, usage: { readonly requests: number; readonly tokens: number } | undefined): ApiKey {
  return {
    id: key.id,
    name: key.name,
    start: key.start,
    last4: key.last4,
    scopes: [...key.scopes],
    allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
    ...fieldsOf(key),
    tool_stream: key.toolStream,
    agent_models: key.agentModels,
    privacy_mode: key.privacyMode,
    created_by: key.creator,
    created_at: key.createdAt.toISOString(),
    expires_at: iso(key.expiresAt),
    last_used_at: iso(key.lastUsedAt),
    requests: usage?.requests ?? 0,
    tokens: usage?.tokens ?? 0,
  };
}

/** API keys: issued, listed, deleted. Source: interface sections 3 and 5. */
export function keyRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: '/keys',
      access: 'keys.own',
      reply: ApiKeyList,
      async handle({ ctx, person }) {
        const [keys, usage, settings] = await Promise.all([
          listKeyDetails(deps, ctx.actor.tenantId, creatorOf(person)),
          usageOfKeys(deps, ctx.actor.tenantId, new Date(Date.now() - USAGE_MS)),
          readSettings(deps, ctx.actor.tenantId),
        ]);
        return {
          items: keys.map((key) => toApiKey(key, usage.get(key.id))),
          ...fieldsOf(withDefaultLimits(limitsOf(settings), deps.defaultLimits), 'default_'),
        };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/keys',
      access: 'keys.own',
      body: NewApiKey,
      reply: IssuedApiKey,
      async handle({ ctx, person, body, reply }) {
        const { key, value } = await issueKey(deps, ctx.auditActor, {
          name: body.name,
          scopes: body.scopes,
          allowedModels: body.allowed_models,
          ...limitsOf(body),
          toolStream: body.tool_stream,
          agentModels: body.agent_models,
          privacyMode: body.privacy_mode,
          expiresAt: body.expires_at === null ? null : new Date(body.expires_at),
        });
        void reply.status(201);
        return { key: toApiKey({ ...key, creator: { id: person.userId, name: person.name } }, undefined), value };
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/keys/:id',
      access: 'keys.own',
      async handle({ ctx, person, params, reply }) {
        const { id = '' } = params;
        const key = (await listKeyDetails(deps, ctx.actor.tenantId, creatorOf(person))).find((one) => one.id === id);
        if (key === undefined) throw new StudioError('not_found', 'There is no such API key.');
        await deleteKey(deps, ctx.auditActor, id);
        return reply.status(204).send();
      },
    }),
  ];
}
