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
  changeMemberEmail,
  changePerson,
  invite,
  linkUrl,
  listPeople,
  type IssuedLink,
  issuePersonLink,
  readPerson,
  removePerson,
} from '../index.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';

/** A link as it is shown, once. */
export const toOneTimeLink = (base: string, link: IssuedLink): OneTimeLink => ({
  url: linkUrl(base, link),
  expires_at: link.expiresAt.toISOString(),
});

const requesterOf = ({ person, ctx }: AnyCall) => ({ ...ctx.auditActor, operator: person.operator });

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
        const made = await db.transaction((tx) => invite(tx, ctx.auditActor, body));
        void reply.status(201);
        return {
          user: await readPerson(db, ctx.actor.tenantId, made.userId),
          link: toOneTimeLink(address.urlOf(request), made.link),
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
        await changePerson(deps, requesterOf(call), params['id'] ?? '', body);
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
        await changeMemberEmail(deps, requesterOf(call), params['id'] ?? '', body.email);
        return readPerson(db, ctx.actor.tenantId, params['id'] ?? '');
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: '/users/:id',
      access,
      handle: (call) => removePerson(deps, requesterOf(call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: '/users/:id/link',
      access,
      reply: OneTimeLink,
      async handle(call) {
        const link = await issuePersonLink(deps, requesterOf(call), paramOf(call, 'id'));
        void call.reply.status(201);
        return toOneTimeLink(address.urlOf(call.request), link);
      },
    }),
  ];
}
