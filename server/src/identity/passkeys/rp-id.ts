import { isIP } from 'node:net';
import { StudioError } from '../../kernel/errors.ts';

/** The name that passkeys of a page belong to. Throws StudioError `invalid_request` at an address without a name. */
export function rpIdOf(site: string): string {
  const { hostname } = new URL(site);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new StudioError(
      'invalid_request',
      'Passkeys need an address with a name, such as http://localhost:8080; browsers make none for a number',
    );
  return hostname;
}
