import {
  InvitedPerson,
  NewPerson,
  OneTimeLink,
  Person,
  PersonChange,
  PersonEmail,
  PersonList,
} from '@ai-studio/contract/console/people.ts';
import {
  changeEmailOf,
  changePerson,
  invite,
  linkUrl,
  listPeople,
  type IssuedLink,
  newLink,
  readPerson,
  removePerson,
} from '../index.ts';
import { type AnyCall, type ConsoleRoute, partOf, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

/** A link as it is shown, once. */
export const shownLink = (base: string, link: IssuedLink): OneTimeLink => ({
  url: linkUrl(base, link),
  expires_at: link.expiresAt.toISOString(),
});

const whoOf = ({ person, ctx }: AnyCall) => ({ ...ctx.acting, operator: person.operator });

/** People of the tenant, for its administrators. */
export function peopleRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const { db, address } = deps;
  const access = 'users.manage';
  return [
    tenantRoute({
      method: 'GET',
      path: '/users',
      access,
      reply: PersonList,
      handle: async ({ ctx }) => ({ items: await listPeople(db, ctx.actor.tenantId) }),
    }),
    tenantRoute({
      method: 'POST',
      path: '/users',
      access,
      body: NewPerson,
      reply: InvitedPerson,
      async handle(call) {
        const { ctx, body, request, reply } = call;
        const made = await db.transaction((tx) => invite(tx, whoOf(call), ctx.actor.tenantId, body));
        void reply.status(201);
        return {
          user: await readPerson(db, ctx.actor.tenantId, made.userId),
          link: shownLink(address.of(request), made.link),
        };
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: '/users/:id',
      access,
      body: PersonChange,
      reply: Person,
      async handle(call) {
        const { ctx, body, params } = call;
        await changePerson(deps, whoOf(call), params['id'] ?? '', body);
        return readPerson(db, ctx.actor.tenantId, params['id'] ?? '');
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/users/:id/email',
      access,
      body: PersonEmail,
      reply: Person,
      async handle(call) {
        const { ctx, body, params } = call;
        await changeEmailOf(deps, whoOf(call), params['id'] ?? '', body.email);
        return readPerson(db, ctx.actor.tenantId, params['id'] ?? '');
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/users/:id',
      access,
      handle: (call) => removePerson(deps, whoOf(call), partOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: '/users/:id/link',
      access,
      reply: OneTimeLink,
      async handle(call) {
        const link = await newLink(deps, whoOf(call), partOf(call, 'id'));
        void call.reply.status(201);
        return shownLink(address.of(call.request), link);
      },
    }),
  ];
}
