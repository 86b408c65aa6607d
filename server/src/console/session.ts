import { Login, LoginResult, Setup, Welcome } from '@ai-studio/contract/console/session.ts';
import {
  CHALLENGE_MINUTES,
  type IdentityDeps,
  endSessionOf,
  loginWithPassword,
  setUp,
  setupNeeded,
  writeAudit,
  actingOf,
} from '../identity/index.ts';
import { type Address, presentedSession } from './address.ts';
import { stepCookie } from './cookies.ts';
import { type ConsoleRoute, personRoute, publicRoute } from './route.ts';

export interface SessionRouteDeps extends IdentityDeps {
  readonly address: Address;
  readonly version: string;
  readonly singleSignOn: { readonly name: string } | null;
}

/** Set-up, sign-in and sign-out. */
export function sessionRoutes(deps: SessionRouteDeps): ConsoleRoute[] {
  const { address, db } = deps;
  return [
    publicRoute({
      method: 'GET',
      path: '/welcome',
      reply: Welcome,
      access: 'public',
      handle: async () => ({
        setup_needed: await setupNeeded(db),
        single_sign_on: deps.singleSignOn,
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
        const session = await setUp(deps, { ...body, origin, replaces: presentedSession(request) });
        address.setSession(call, session);
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
        const step = await loginWithPassword(deps, { ...body, origin, replaces: presentedSession(request) });
        if (step.state === 'signed_in') address.setSession(call, step.session);
        else address.setCookie(call, stepCookie, step.challenge, CHALLENGE_MINUTES * 60);
        return { state: step.state };
      },
    }),
    personRoute({
      method: 'POST',
      path: '/logout',
      access: 'signed_in',
      async handle(call) {
        const { person, origin, request } = call;
        const token = presentedSession(request);
        await db.transaction(async (tx) => {
          if (token !== null) await endSessionOf(tx, token);
          await writeAudit(tx, actingOf(person, origin), { action: 'sign_out' });
        });
        address.dropSession(call);
      },
    }),
  ];
}
