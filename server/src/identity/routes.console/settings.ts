import { TenantSettings, TenantSettingsChange } from '@ai-studio/contract/console/settings.ts';
import { changeSettings, readSettings } from '../index.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

/** Settings of the tenant. */
export function settingsRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const requireModels = (ids: readonly string[], param: string) => {
    for (const id of ids)
      if (!deps.catalogue.get(id)) throw invalidRequest(`There is no model ${JSON.stringify(id)}`, param);
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
        const { allowed_models: allowed, default_model: standard } = body;
        if (allowed) requireModels(allowed, 'allowed_models');
        if (standard) requireModels([standard], 'default_model');
        return changeSettings(deps, ctx.auditActor, body);
      },
    }),
  ];
}
