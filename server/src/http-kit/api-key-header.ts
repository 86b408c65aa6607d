import type { IncomingHttpHeaders } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/** Header of keys that clients of Messages and Docling send. Source: Anthropic API reference, "Authentication"; docling-serve, auth.py. */
const API_KEY_HEADER = 'x-api-key';

/**
 * Puts the key of `x-api-key` where keys are looked for, `Authorization`, and takes the header away: from there on there is one key of a
 * request. Only routes whose clients send no other do so (docs/decisions/messages.md, parts-for-others.md). Throws StudioError `unauthenticated` where two keys are given that
 * differ, or the header holds no key.
 */
export function takeApiKeyHeader(headers: IncomingHttpHeaders): void {
  const given = headers[API_KEY_HEADER];
  if (given === undefined) return;
  delete headers[API_KEY_HEADER];
  // Given twice, it has a comma.
  if (typeof given !== 'string' || !/^[\w.-]+$/.test(given))
    throw new StudioError('unauthenticated', 'The header x-api-key holds no API key');
  const bearer = `Bearer ${given}`;
  const { authorization } = headers;
  if (authorization !== undefined && authorization.replace(/^bearer +(\S+) *$/i, 'Bearer $1') !== bearer)
    throw new StudioError('unauthenticated', 'x-api-key and Authorization hold different keys; send one of them');
  headers.authorization = bearer;
}

/**
 * Puts the key of Basic authentication, which is its password, or its user where that stands alone, where keys are looked for. For clients
 * that take no header but an address with a user in it (docs/decisions/parts-for-others.md). Leaves any other credential as it is.
 */
export function takeBasicKey(headers: IncomingHttpHeaders): void {
  const encoded = /^basic +([A-Za-z0-9+/=_-]{1,400}) *$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return;
  const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':', 2);
  headers.authorization = `Bearer ${password === '' ? user : password}`;
}
