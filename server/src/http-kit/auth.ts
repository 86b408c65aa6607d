import type { IncomingHttpHeaders } from 'node:http';
import type { KeyRecord, KeyRing, KeyScope, RevokedKey } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { memoizeLast } from '../kernel/memoize.ts';

const AUTHORIZATION_HINT = 'Send your API key in the header Authorization: Bearer KEY';

/** The key that a header holds; null where it has another form. */
const keyIn = memoizeLast((value) => {
  const key = /^bearer +(\S+) *$/i.exec(value)?.[1];
  // In memory of its own: parts of texts are compared more slowly.
  return key === undefined ? null : Buffer.from(key, 'latin1').toString('latin1');
});

function bearer(headers: IncomingHttpHeaders): string {
  const value = headers.authorization;
  if (value === undefined) throw new StudioError('unauthenticated', `The API key is missing. ${AUTHORIZATION_HINT}`);
  const key = keyIn(value);
  if (key === null)
    throw new StudioError('unauthenticated', `The Authorization header has the wrong form. ${AUTHORIZATION_HINT}`);
  return key;
}

const NO_HOLDER = 'The person who holds this API key has no role that may call the API';

/** The error of an open response whose key was revoked. */
export const revocationError = ({ reason: why }: RevokedKey): StudioError =>
  why === 'deleted'
    ? new StudioError('unauthenticated', 'The API key was deleted')
    : new StudioError('forbidden', NO_HOLDER);

/** A valid key without the permission: its requests count against its limits all the same. */
export class ForbiddenKey extends StudioError {
  readonly key: KeyRecord;

  constructor(key: KeyRecord, message: string, param: string | null) {
    super('forbidden', message, { param });
    this.key = key;
  }
}

function authorize(key: KeyRecord | null, scope: KeyScope | null, headers: IncomingHttpHeaders): KeyRecord {
  if (!key)
    throw new StudioError('unauthenticated', 'The API key is not valid. It may be mistyped, deleted or expired');
  const tenant = headers['x-tenant-id'];
  if (tenant !== undefined && tenant !== key.tenantId) {
    throw new ForbiddenKey(key, 'X-Tenant-Id names another tenant than the API key', 'X-Tenant-Id');
  }
  if (!key.holderMayCall) throw new ForbiddenKey(key, NO_HOLDER, null);
  if (scope !== null && !key.scopes.has(scope))
    throw new ForbiddenKey(key, `The API key has no permission for ${scope}`, null);
  return key;
}

/** The one credential of the public API. Source: interface section 5; decisions section 1, "Key" and "Tenant". */
export function createAuthenticate(ring: Pick<KeyRing, 'verify' | 'find'>) {
  /** At once when memory knows the key. Throws (or rejects with) StudioError `unauthenticated`, `forbidden`, `unavailable`. */
  return (headers: IncomingHttpHeaders, scope: KeyScope | null): KeyRecord | Promise<KeyRecord> => {
    const token = bearer(headers);
    const known = ring.verify(token);
    if (known) return authorize(known, scope, headers);
    return ring.find(token).then((found) => authorize(found, scope, headers));
  };
}
export type Authenticate = ReturnType<typeof createAuthenticate>;
