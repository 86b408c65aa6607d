import type { IncomingHttpHeaders } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/**
 * Lets only pages of this address change data: browsers send the origin of a call, and scripts of a page can't
 * forge it. `publicUrl` is the configured address, for proxies that change the Host header. Throws StudioError
 * `forbidden`, reason `wrong_origin`. Source: OWASP, Cross-Site Request Forgery Prevention, "Verifying Origin".
 */
export function requireSameOrigin(
  headers: IncomingHttpHeaders,
  host: string | undefined,
  publicUrl: string | null,
): void {
  const { origin } = headers;
  if (origin !== undefined ? isSameOrigin(origin, host, publicUrl) : headers['sec-fetch-site'] === 'same-origin')
    return;
  throw new StudioError('forbidden', 'The call does not come from a page of this service (Origin)', {
    reason: 'wrong_origin',
  });
}

function isSameOrigin(origin: string, host: string | undefined, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== 'https:' && page.protocol !== 'http:') return false;
  if (publicUrl !== null && page.origin === new URL(publicUrl).origin) return true;
  // Compared as URLs, so that a default port may be left out.
  return (
    host !== undefined &&
    URL.canParse(`${page.protocol}//${host}`) &&
    page.host === new URL(`${page.protocol}//${host}`).host
  );
}
