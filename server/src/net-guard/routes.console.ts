import { NewOpenedHost, OpenedHost, OpenedHosts } from '@ai-studio/contract/console/network.ts';
import { type ConsoleRoute, tenantRoute } from '../console-kit/route.ts';
import type { OpenedHosts as Hosts } from './index.ts';

/** What the routes of opened hosts work with. */
export interface NetworkRouteDeps {
  readonly hosts: Hosts;
}

const targetOf = ({ id, host }: OpenedHost) => ({ kind: 'host', id, name: host });

/** Routes for the private hosts that requests of all tenants may go to. */
export function networkRoutes({ hosts }: NetworkRouteDeps): ConsoleRoute[] {
  const access = 'network.manage';
  return [
    tenantRoute({
      method: 'GET',
      path: '/opened-hosts',
      access,
      reply: OpenedHosts,
      handle: async () => ({ configured: [...hosts.configured], items: await hosts.list() }),
    }),
    tenantRoute({
      method: 'POST',
      path: '/opened-hosts',
      access,
      body: NewOpenedHost,
      reply: OpenedHost,
      handle: ({ body, person, audit }) =>
        hosts.open({ ...body, openedBy: person.name }, (tx, host) =>
          audit({ action: 'host_opened', target: targetOf(host), detail: { note: host.note } }, tx),
        ),
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/opened-hosts/:id',
      access,
      async handle({ params: { id = '' }, audit }) {
        await hosts.shut(id, (tx, host) => audit({ action: 'host_closed', target: targetOf(host) }, tx));
      },
    }),
  ];
}
