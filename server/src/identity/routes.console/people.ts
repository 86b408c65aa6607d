import {
  InvitedPeople,
  InvitedPerson,
  NewPeople,
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
  inviteMany,
  linkUrl,
  listPeople,
  type IssuedLink,
  issuePersonLink,
  readPerson,
  removePerson,
  sendInvitations,
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
      handle: async ({ ctx }) => ({
        items: await listPeople(db, ctx.actor.tenantId),
        mails: deps.mailer !== null,
      }),
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
        const user = await readPerson(db, ctx.actor.tenantId, made.userId);
        const link = toOneTimeLink(address.urlOf(request), made.link);
        const { email } = user;
        const sent = await sendInvitations(deps, ctx.auditActor, [{ email, name: body.name, url: link.url }]);
        void reply.status(201);
        return { user, link, mailed: sent.has(email) };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/users/bulk',
      access,
      body: NewPeople,
      reply: InvitedPeople,
      async handle({ ctx, body, request }) {
        const invited = await inviteMany(deps, ctx.auditActor, body.people);
        const base = address.urlOf(request);
        const made = invited.map(({ link, ...person }) => ({
          ...person,
          link: link === null ? null : toOneTimeLink(base, link),
        }));
        const toSend = made.flatMap(({ email, name, link }) => (link === null ? [] : [{ email, name, url: link.url }]));
        const sent = await sendInvitations(deps, ctx.auditActor, toSend);
        // Who has got the link needs no second copy of it to lie about.
        return {
          people: made.map(({ email, name, role, link }) => ({
            email,
            name,
            role,
            outcome: link === null ? ('already_member' as const) : ('invited' as const),
            mailed: sent.has(email),
            link: sent.has(email) ? null : link,
          })),
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
