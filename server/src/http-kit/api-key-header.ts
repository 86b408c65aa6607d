import type { IncomingHttpHeaders } from 'node:http';
import { StudioError } from '../kernel/errors.ts';

/** Header of keys that clients of Messages send. Source: Anthropic API reference, "Authentication". */
const API_KEY_HEADER = 'x-api-key';

/**
 * Puts the key of `x-api-key` where keys are looked for, `Authorization`, and takes the header away: from there on there is one key of a
 * request. Only routes of Messages do so (docs/decisions/messages.md). Throws StudioError `unauthenticated` where two keys are given that
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
