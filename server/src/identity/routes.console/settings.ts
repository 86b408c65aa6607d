import { TenantSettings, TenantSettingsChange } from '@ai-studio/contract/console/settings.ts';
import { changeSettings, readSettings } from '../index.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

/** Name by which collections are embedded without a model. */
const LEXICAL = 'lexical';

/** Settings of the tenant. */
export function settingsRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const requireModels = (ids: readonly string[], param: string) => {
    for (const id of ids)
      if (!deps.catalogue.get(id)) throw invalidRequest(`There is no model ${JSON.stringify(id)}`, param);
  };
  const requireEmbedder = (id: string) => {
    const param = 'default_embedding_model';
    requireModels([id], param);
    if (deps.catalogue.get(id)?.kind !== 'embedding')
      throw invalidRequest(`${JSON.stringify(id)} is no embedding model`, param);
  };
  return [
    tenantRoute({
      method: 'GET',
      path: '/settings',
      access: 'settings.manage',
      reply: TenantSettings,
      handle: ({ ctx }) => readSettings(deps, ctx.actor.tenantId),
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/settings',
      access: 'settings.manage',
      body: TenantSettingsChange,
      reply: TenantSettings,
      handle({ ctx, body }) {
        const { allowed_models: allowed, default_model: standard, default_embedding_model: embedder } = body;
        if (allowed) requireModels(allowed, 'allowed_models');
        if (standard) requireModels([standard], 'default_model');
        if (embedder && embedder !== LEXICAL) requireEmbedder(embedder);
        return changeSettings(deps, ctx.auditActor, body);
      },
    }),
  ];
}
