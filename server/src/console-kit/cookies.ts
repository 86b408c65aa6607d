import type { IncomingHttpHeaders } from 'node:http';

/** A cookie of the console. All of them are out of reach of scripts. */
export interface Cookie {
  readonly name: string;
  readonly path: string;
  /** `Lax` only where another site leads back to us, as the single sign-on does. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** The sign-in. Only the console's own interface ever sees it. */
export const sessionCookie: Cookie = { name: 'studio_session', path: '/console/api', sameSite: 'Strict' };
/** That the browser has signed in to an account before. */
export const deviceCookie: Cookie = { name: 'studio_device', path: '/console/api', sameSite: 'Strict' };
/** A step of a sign-in that waits for the next one. */
export const stepCookie: Cookie = { name: 'studio_step', path: '/console/api', sameSite: 'Strict' };

/** Longest value that is looked at; ours have 43 characters. */
const MAX_VALUE_LENGTH = 200;

/** Value of a cookie; null when it is missing or could not be ours. Source: RFC 6265 section 4.2. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, { name }: Cookie): string | null {
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    return /^[A-Za-z0-9_-]+$/.test(value) && value.length <= MAX_VALUE_LENGTH ? value : null;
  }
  return null;
}

/** The header that sets a cookie; an empty value takes it away. */
export function cookieHeader(cookie: Cookie, value: string, maxAgeSeconds: number, secure: boolean): string {
  const { name, path, sameSite } = cookie;
  return `${name}=${value}; Path=${path}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}
