import type { ExternalIdentity } from '../../ports/single-sign-on.ts';

/** Whom the claims of a token name. Throws where they name nobody. */
export function identityOf(claims: Readonly<Record<string, unknown>>): ExternalIdentity {
  const { iss, sub, email, email_verified: verified, name } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') throw new Error('the token names nobody');
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: typeof email === 'string' && verified === true ? email : null,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : null,
  };
}
