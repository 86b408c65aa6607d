import {
  LinkInfo,
  LinkToken,
  LinkUse,
  Login,
  LoginCode,
  LoginResult,
  Setup,
  Welcome,
} from '@ai-studio/contract/console/session.ts';
import {
  acceptInvitation,
  CHALLENGE_MINUTES,
  endSessionByToken,
  loginWithCode,
  loginWithPassword,
  describeLink,
  setUpInstallation,
  setupNeeded,
  useLink,
  publishPersonChange,
  writeAudit,
  auditActorOf,
} from '../index.ts';
import { sessionTokenOf } from '../../console-kit/address.ts';
import { deviceCookie, readCookie, stepCookie } from '../../console-kit/cookies.ts';
import { type ConsoleRoute, personRoute, publicRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';
import { setSignInCookies } from './sign-in-cookies.ts';

/** Set-up, sign-in and sign-out. */
export function sessionRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const { address, db } = deps;
  return [
    publicRoute({
      method: 'GET',
      path: '/welcome',
      reply: Welcome,
      access: 'public',
      handle: async () => ({
        setup_needed: await setupNeeded(db),
        single_sign_on: deps.sso && { name: deps.sso.provider.name },
        version: deps.version,
      }),
    }),
    publicRoute({
      method: 'POST',
      path: '/setup',
      access: 'public',
      body: Setup,
      reply: LoginResult,
      async handle(call) {
        const { body, origin, request } = call;
        const session = await setUpInstallation(deps, { ...body, origin, replaces: sessionTokenOf(request) });
        await setSignInCookies(deps, call, session);
        return { state: 'signed_in' as const };
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/login',
      access: 'public',
      body: Login,
      reply: LoginResult,
      async handle(call) {
        const { body, origin, request } = call;
        const step = await loginWithPassword(deps, {
          ...body,
          device: readCookie(request.headers, deviceCookie),
          origin,
          replaces: sessionTokenOf(request),
        });
        if (step.state === 'signed_in') await setSignInCookies(deps, call, step.session);
        else address.setCookie(call, stepCookie, step.challenge, CHALLENGE_MINUTES * 60);
        return { state: step.state };
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/login/code',
      access: 'public',
      body: LoginCode,
      reply: LoginResult,
      async handle(call) {
        const { body, origin, request } = call;
        const challenge = readCookie(request.headers, stepCookie);
        const device = readCookie(request.headers, deviceCookie);
        const replaces = sessionTokenOf(request);
        const session = await loginWithCode(deps, { code: body.code, challenge, device, origin, replaces });
        address.setCookie(call, stepCookie, '', 0);
        await setSignInCookies(deps, call, session);
        return { state: 'signed_in' as const };
      },
    }),
    ...linkRoutes(deps),
    personRoute({
      method: 'POST',
      path: '/logout',
      access: 'signed_in',
      async handle(call) {
        const { person, origin, request } = call;
        const token = sessionTokenOf(request);
        await db.transaction(async (tx) => {
          if (token !== null) await endSessionByToken(tx, token);
          await writeAudit(tx, auditActorOf(person, origin), { action: 'sign_out' });
        });
        address.clearSession(call);
        await publishPersonChange(deps.bus, person.userId);
      },
    }),
  ];
}

/** One-time links: invitations and reset passwords. */
function linkRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [
    publicRoute({
      method: 'POST',
      path: '/links/look',
      access: 'public',
      body: LinkToken,
      reply: LinkInfo,
      handle: ({ body }) => describeLink(deps, body.token),
    }),
    publicRoute({
      method: 'POST',
      path: '/links/use',
      access: 'public',
      body: LinkUse,
      reply: LoginResult,
      async handle(call) {
        const { body, origin, request } = call;
        const session = await useLink(deps, { ...body, origin, replaces: sessionTokenOf(request) });
        await setSignInCookies(deps, call, session);
        return { state: 'signed_in' as const };
      },
    }),
    personRoute({
      method: 'POST',
      path: '/links/accept',
      access: 'signed_in',
      body: LinkToken,
      handle: ({ body, person, origin }) => acceptInvitation(deps, person, body.token, origin),
    }),
  ];
}
