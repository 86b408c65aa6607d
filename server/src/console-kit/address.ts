import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedSession } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { type Cookie, cookieHeader, readCookie, sessionCookie } from './cookies.ts';

/** The address under which people reach the service, and the cookies for it. */
export interface Address {
  /** The configured address, else that of the request; without a trailing slash. */
  urlOf(request: FastifyRequest): string;
  /** The origin of the page of a call, which the frame has verified. Throws StudioError `invalid_request`. */
  pageOriginOf(request: FastifyRequest): string;
  /** Sets a cookie; `seconds` 0 removes it. */
  setCookie(call: Exchange, cookie: Cookie, value: string, seconds: number): void;
  /** Sets the session's cookie. */
  setSession(call: Exchange, session: OpenedSession): void;
  /** Removes the session's cookie. */
  clearSession(call: Exchange): void;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The session cookie of a request; a new session replaces that session. */
export const sessionTokenOf = (request: FastifyRequest): string | null => readCookie(request.headers, sessionCookie);

export function createAddress(configuredUrl: string | null): Address {
  const configured = configuredUrl?.replace(/\/+$/, '') ?? null;
  const urlOf = (request: FastifyRequest) => configured ?? `${request.protocol}://${request.host}`;
  const setCookie: Address['setCookie'] = ({ request, reply }, cookie, value, seconds) => {
    const secure = urlOf(request).startsWith('https:') || request.protocol === 'https';
    // Fastify adds it to cookies that were set before.
    void reply.header('Set-Cookie', cookieHeader(cookie, value, seconds, secure));
  };
  return {
    urlOf,
    // Behind a proxy that terminates TLS, only the page knows that it is https.
    pageOriginOf(request) {
      const page = request.headers.origin ?? urlOf(request);
      if (!URL.canParse(page)) throw new StudioError('invalid_request', 'The header Host names no address');
      return new URL(page).origin;
    },
    setCookie,
    setSession: (call, { token, expiresAt }) =>
      setCookie(call, sessionCookie, token, (expiresAt.getTime() - Date.now()) / 1000),
    clearSession: (call) => setCookie(call, sessionCookie, '', 0),
  };
}
