import {
  EmailChange,
  LoginCode,
  Me,
  NoticeRead,
  PasswordChange,
  ProfileChange,
  Reauthenticate,
  RecoveryCodes,
  SessionList,
  TenantSwitch,
  TotpSetup,
} from '@ai-studio/contract/console/session.ts';
import type { FastifyRequest } from 'fastify';
import {
  acknowledgeAiNotice,
  startTotpSetup,
  changeOwnEmail,
  changePassword,
  changeProfile,
  confirmTotp,
  endOtherSessions,
  endSession,
  listSessions,
  readMe,
  readSession,
  reauthenticate,
  removeTotp,
  renewRecoveryCodes,
  switchTenant,
  publishPersonChange,
} from '../index.ts';
import { sessionTokenOf } from '../../console-kit/address.ts';
import { type ConsoleRoute, personRoute, tenantRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';
import { rememberDevice } from './sign-in-cookies.ts';

/** What a person sees and changes of themselves. */
export function profileRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [...meRoutes(deps), ...credentialRoutes(deps), ...secondFactorRoutes(deps), ...ownSessionRoutes(deps)];
}

function meRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  /** The state after the call. */
  const meOf = async (request: FastifyRequest): Promise<Me> => {
    const person = await readSession(deps, sessionTokenOf(request));
    return {
      ...(await readMe(deps, person)),
      api_base: `${deps.address.urlOf(request)}/v1`,
      version: deps.version,
    };
  };
  return [
    personRoute({
      method: 'GET',
      path: '/me',
      access: 'signed_in',
      reply: Me,
      handle: ({ request }) => meOf(request),
    }),
    personRoute({
      method: 'PATCH',
      path: '/me',
      access: 'signed_in',
      body: ProfileChange,
      reply: Me,
      async handle({ person, body, request }) {
        await changeProfile(deps, person, body);
        return meOf(request);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: '/me/ai-notice',
      access: 'chat',
      body: NoticeRead,
      handle: ({ ctx, body }) => acknowledgeAiNotice(deps, ctx.actor, body.version),
    }),
    personRoute({
      method: 'POST',
      path: '/me/tenant',
      access: 'signed_in',
      body: TenantSwitch,
      reply: Me,
      async handle({ person, body, request }) {
        await switchTenant(deps, person, body.tenant_id);
        return meOf(request);
      },
    }),
  ];
}

function credentialRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    personRoute({
      method: 'POST',
      path: '/me/password',
      access: 'signed_in',
      body: PasswordChange,
      async handle(call) {
        const { person, body, origin } = call;
        await changePassword(deps, person, { ...body, origin });
        // The new password has invalidated the cookie of the device.
        await rememberDevice(deps, call, person.userId);
        await publishPersonChange(deps.bus, person.userId);
      },
    }),
    personRoute({
      method: 'POST',
      path: '/me/email',
      access: 'signed_in',
      body: EmailChange,
      async handle({ person, body, origin }) {
        await changeOwnEmail(deps, person, { ...body, origin });
        await publishPersonChange(deps.bus, person.userId);
      },
    }),
    personRoute({
      method: 'POST',
      path: '/me/reauthenticate',
      access: 'signed_in',
      body: Reauthenticate,
      handle: ({ person, body, origin }) => reauthenticate(deps, person, body.password, origin),
    }),
  ];
}

function secondFactorRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    personRoute({
      method: 'POST',
      path: '/me/totp',
      access: 'signed_in',
      reply: TotpSetup,
      handle: ({ person }) => startTotpSetup(deps, person),
    }),
    personRoute({
      method: 'POST',
      path: '/me/totp/confirm',
      access: 'signed_in',
      body: LoginCode,
      reply: RecoveryCodes,
      handle: async ({ person, body, origin }) => ({ codes: await confirmTotp(deps, person, body.code, origin) }),
    }),
    personRoute({
      method: 'DELETE',
      path: '/me/totp',
      access: 'signed_in',
      handle: ({ person, origin }) => removeTotp(deps, person, origin),
    }),
    personRoute({
      method: 'POST',
      path: '/me/recovery-codes',
      access: 'signed_in',
      reply: RecoveryCodes,
      handle: async ({ person, origin }) => ({ codes: await renewRecoveryCodes(deps, person, origin) }),
    }),
  ];
}

function ownSessionRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    personRoute({
      method: 'GET',
      path: '/me/sessions',
      access: 'signed_in',
      reply: SessionList,
      handle: async ({ person }) => ({ items: await listSessions(deps, person) }),
    }),
    personRoute({
      method: 'DELETE',
      path: '/me/sessions',
      access: 'signed_in',
      async handle({ person, origin }) {
        await endOtherSessions(deps, person, origin);
        await publishPersonChange(deps.bus, person.userId);
      },
    }),
    personRoute({
      method: 'DELETE',
      path: '/me/sessions/:id',
      access: 'signed_in',
      async handle({ person, params, origin }) {
        await endSession(deps, person, params['id'] ?? '', origin);
        await publishPersonChange(deps.bus, person.userId);
      },
    }),
  ];
}
