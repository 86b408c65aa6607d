import type { FastifyReply, FastifyRequest } from 'fastify';
import { type IdentityDeps, makeKnownDevice, type OpenedSession } from '../index.ts';
import type { Address } from '../../console-kit/address.ts';
import { deviceCookie } from '../../console-kit/cookies.ts';

interface Deps extends Pick<IdentityDeps, 'db' | 'box' | 'now'> {
  readonly address: Address;
}
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** From now on the browser is one that has signed in to the account. */
export async function rememberDevice(deps: Deps, call: Exchange, userId: string): Promise<void> {
  const device = await makeKnownDevice(deps, userId);
  if (device !== null) deps.address.setCookie(call, deviceCookie, device.token, device.seconds);
}

/** Sets the cookies of a sign-in. */
export async function welcome(deps: Deps, call: Exchange, session: OpenedSession): Promise<void> {
  deps.address.setSession(call, session);
  await rememberDevice(deps, call, session.userId);
}
