import type { FastifyReply, FastifyRequest } from 'fastify';
import { issueKnownDevice, type OpenedSession } from '../index.ts';
import { deviceCookie } from '../../console-kit/cookies.ts';
import type { IdentityRouteDeps } from './deps.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Marks the browser as a known device of the account. */
export async function rememberDevice(deps: IdentityRouteDeps, call: Exchange, userId: string): Promise<void> {
  const device = await issueKnownDevice(deps, userId);
  if (device !== null) deps.address.setCookie(call, deviceCookie, device.token, device.seconds);
}

/** Sets the cookies of a sign-in. */
export async function setSignInCookies(deps: IdentityRouteDeps, call: Exchange, session: OpenedSession): Promise<void> {
  deps.address.setSession(call, session);
  await rememberDevice(deps, call, session.userId);
}
