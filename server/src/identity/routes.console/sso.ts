import { startSso, CHALLENGE_MINUTES, finishSso } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { sessionTokenOf } from '../../console-kit/address.ts';
import { type Cookie, readCookie } from '../../console-kit/cookies.ts';
import { type ConsoleRoute, publicRoute } from '../../console-kit/route.ts';
import type { IdentityRouteDeps } from './deps.ts';
import { setSignInCookies } from './sign-in-cookies.ts';

const CALLBACK = '/console/api/sso/callback';
/** `Lax`, as another site leads the browser back to us. */
const ssoCookie: Cookie = { name: 'studio_sso', path: '/console/api/sso', sameSite: 'Lax' };

/** Single sign-on; none where `sso` is null. These are visited by the browser itself, not by a script. */
export function ssoRoutes(deps: IdentityRouteDeps): ConsoleRoute[] {
  const { address, sso } = deps;
  if (sso === null) return [];
  return [
    publicRoute({
      method: 'GET',
      path: '/sso/start',
      access: 'public',
      async handle(call) {
        const { url, challenge } = await startSso(sso, address.urlOf(call.request) + CALLBACK);
        address.setCookie(call, ssoCookie, challenge, CHALLENGE_MINUTES * 60);
        return call.reply.redirect(url, 303);
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/sso/callback',
      access: 'public',
      async handle(call) {
        const { request, origin, reply } = call;
        address.setCookie(call, ssoCookie, '', 0);
        try {
          const session = await finishSso(sso, {
            redirectUri: address.urlOf(request) + CALLBACK,
            query: request.url.split('?')[1] ?? '',
            challenge: readCookie(request.headers, ssoCookie),
            origin,
            replaces: sessionTokenOf(request),
          });
          await setSignInCookies(deps, call, session);
          return reply.redirect('/console/', 303);
        } catch (error) {
          // The browser itself shows this reply: redirect to the sign-in page, which explains the reason.
          if (!(error instanceof StudioError)) throw error;
          return reply.redirect(`/console/login?error=${error.reason ?? 'sign_in_failed'}`, 303);
        }
      },
    }),
  ];
}
