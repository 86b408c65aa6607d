import { MadeTenant, NewTenant, Tenant, TenantChange, TenantList } from '@ai-studio/contract/console/people.ts';
import { createTenant, enterTenant, listTenants, renameTenant } from '../index.ts';
import { toOneTimeLink } from './people.ts';
import { type ConsoleRoute, personRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

/** Tenants, for operators of the platform; wherever their session stands. */
export function tenantRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const access = 'tenants.manage';
  return [
    personRoute({
      method: 'GET',
      path: '/tenants',
      access,
      reply: TenantList,
      handle: async ({ person }) => ({ items: await listTenants(deps, person) }),
    }),
    personRoute({
      method: 'POST',
      path: '/tenants',
      access,
      body: NewTenant,
      reply: MadeTenant,
      async handle({ person, body, origin, request, reply }) {
        const { name, email, admin_name: adminName } = body;
        const { tenant, link } = await createTenant(deps, person, { name, email, adminName, origin });
        void reply.status(201);
        return { tenant, link: toOneTimeLink(deps.address.urlOf(request), link) };
      },
    }),
    personRoute({
      method: 'PATCH',
      path: '/tenants/:id',
      access,
      body: TenantChange,
      reply: Tenant,
      handle: ({ person, body, params, origin }) =>
        renameTenant(deps, person, { id: params['id'] ?? '', name: body.name, origin }),
    }),
    personRoute({
      method: 'POST',
      path: '/tenants/:id/enter',
      access,
      handle: ({ person, params, origin }) => enterTenant(deps, person, params['id'] ?? '', origin),
    }),
  ];
}
