import {
  LoginResult,
  Passkey,
  PasskeyAdd,
  PasskeyChange,
  PasskeyList,
  PasskeyProof,
  WebAuthnJson,
} from '@ai-studio/contract/console/session.ts';
import {
  addPasskey,
  startPasskeyRegistration,
  startPasskeySignIn,
  CHALLENGE_MINUTES,
  listPasskeys,
  loginWithPasskey,
  removePasskey,
  renamePasskey,
} from '../index.ts';
import { sessionTokenOf } from '../../console-kit/address.ts';
import { readCookie, stepCookie } from '../../console-kit/cookies.ts';
import { type ConsoleRoute, personRoute, publicRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';
import { setSignInCookies } from './sign-in-cookies.ts';

/** Signing in with a passkey, and the passkeys of a person. */
export function passkeyRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  return [...signInRoutes(deps), ...ownRoutes(deps)];
}

function signInRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const { address } = deps;
  return [
    publicRoute({
      method: 'POST',
      path: '/login/passkey/options',
      access: 'public',
      reply: WebAuthnJson,
      async handle(call) {
        const { options, challenge } = await startPasskeySignIn(deps, address.pageOriginOf(call.request));
        address.setCookie(call, stepCookie, challenge, CHALLENGE_MINUTES * 60);
        return options;
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/login/passkey',
      access: 'public',
      body: PasskeyProof,
      reply: LoginResult,
      async handle(call) {
        const { body, origin, request } = call;
        const session = await loginWithPasskey(deps, {
          response: body.response,
          challenge: readCookie(request.headers, stepCookie),
          site: address.pageOriginOf(request),
          origin,
          replaces: sessionTokenOf(request),
        });
        address.setCookie(call, stepCookie, '', 0);
        await setSignInCookies(deps, call, session);
        return { state: 'signed_in' as const };
      },
    }),
  ];
}

function ownRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const { address } = deps;
  const access = 'signed_in';
  return [
    personRoute({
      method: 'GET',
      path: '/me/passkeys',
      access,
      reply: PasskeyList,
      handle: async ({ person }) => ({ items: await listPasskeys(deps, person) }),
    }),
    personRoute({
      method: 'POST',
      path: '/me/passkeys/options',
      access,
      reply: WebAuthnJson,
      async handle(call) {
        const { options, challenge } = await startPasskeyRegistration(
          deps,
          call.person,
          address.pageOriginOf(call.request),
        );
        address.setCookie(call, stepCookie, challenge, CHALLENGE_MINUTES * 60);
        return options;
      },
    }),
    personRoute({
      method: 'POST',
      path: '/me/passkeys',
      access,
      body: PasskeyAdd,
      reply: Passkey,
      async handle(call) {
        const { body, person, origin, request, reply } = call;
        const challenge = readCookie(request.headers, stepCookie);
        const made = await addPasskey(deps, person, {
          ...body,
          challenge,
          site: address.pageOriginOf(request),
          origin,
        });
        address.setCookie(call, stepCookie, '', 0);
        void reply.status(201);
        return made;
      },
    }),
    personRoute({
      method: 'PATCH',
      path: '/me/passkeys/:id',
      access,
      body: PasskeyChange,
      reply: Passkey,
      handle: ({ person, params, body, origin }) =>
        renamePasskey(deps, person, { id: params['id'] ?? '', name: body.name, origin }),
    }),
    personRoute({
      method: 'DELETE',
      path: '/me/passkeys/:id',
      access,
      handle: ({ person, params, origin }) => removePasskey(deps, person, params['id'] ?? '', origin),
    }),
  ];
}
