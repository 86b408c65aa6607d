import type { IncomingHttpHeaders } from 'node:http';

/** A cookie of the console. Scripts can't read any of them. */
export interface Cookie {
  readonly name: string;
  readonly path: string;
  /** `Lax` only where another site leads back here, as single sign-on does. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** The session. It is only sent to the console's own interface. */
export const sessionCookie: Cookie = { name: 'studio_session', path: '/console/api', sameSite: 'Strict' };
/** Proves that the browser has signed in to an account before. */
export const deviceCookie: Cookie = { name: 'studio_device', path: '/console/api', sameSite: 'Strict' };
/** The token of a started sign-in, for its next step. */
export const stepCookie: Cookie = { name: 'studio_step', path: '/console/api', sameSite: 'Strict' };

/** Maximum length of a value; the service's own have 43 characters. */
const MAX_VALUE_LENGTH = 200;

/** Reads the value of a cookie; null where it is missing or malformed. Source: RFC 6265 section 4.2. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, { name }: Cookie): string | null {
  for (const part of cookie.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    const value = part.slice(equals + 1).trim();
    return /^[A-Za-z0-9_-]+$/.test(value) && value.length <= MAX_VALUE_LENGTH ? value : null;
  }
  return null;
}

/** The header that sets a cookie; an empty value removes it. */
export function cookieHeader(cookie: Cookie, value: string, maxAgeSeconds: number, secure: boolean): string {
  const { name, path, sameSite } = cookie;
  return `${name}=${value}; Path=${path}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}
