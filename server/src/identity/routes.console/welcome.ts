import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeKnownDevice, type OpenedSession } from '../index.ts';
import { deviceCookie } from '../../console-kit/cookies.ts';
import type { IdentityRouteDeps } from './deps.ts';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** From now on the browser is one that has signed in to the account. */
export async function rememberDevice(deps: IdentityRouteDeps, call: Exchange, userId: string): Promise<void> {
  const device = await makeKnownDevice(deps, userId);
  if (device !== null) deps.address.setCookie(call, deviceCookie, device.token, device.seconds);
}

/** Sets the cookies of a sign-in. */
export async function welcome(deps: IdentityRouteDeps, call: Exchange, session: OpenedSession): Promise<void> {
  deps.address.setSession(call, session);
  await rememberDevice(deps, call, session.userId);
}
