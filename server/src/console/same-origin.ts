import type { IncomingHttpHeaders } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/**
 * Lets only pages of this very address change something: browsers say where a call comes from, and scripts of a page can't
 * say otherwise. `publicUrl` is the configured address, for proxies that change the Host header. Throws StudioError
 * `forbidden`, reason `wrong_origin`. Source: OWASP, Cross-Site Request Forgery Prevention, "Verifying Origin".
 */
export function requireSameOrigin(
  headers: IncomingHttpHeaders,
  host: string | undefined,
  publicUrl: string | null,
): void {
  const { origin } = headers;
  if (origin !== undefined ? isOurs(origin, host, publicUrl) : headers['sec-fetch-site'] === 'same-origin') return;
  throw new StudioError('forbidden', 'The call does not come from a page of this service (Origin)', {
    reason: 'wrong_origin',
  });
}

function isOurs(origin: string, host: string | undefined, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.protocol !== 'https:' && from.protocol !== 'http:') return false;
  if (publicUrl !== null && from.origin === new URL(publicUrl).origin) return true;
  // Compared as addresses, so that a default port may be written or not.
  return (
    host !== undefined &&
    URL.canParse(`${from.protocol}//${host}`) &&
    from.host === new URL(`${from.protocol}//${host}`).host
  );
}
