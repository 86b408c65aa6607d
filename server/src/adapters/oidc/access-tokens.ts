import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { StudioError } from '../../kernel/errors.ts';
import type { AccessTokens } from '../../ports/single-sign-on.ts';
import { createDiscovery, type ProviderOptions } from './discovery.ts';
import { identityOf } from './identity-of.ts';

/** Signatures by keys that the provider alone has. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
const TIMEOUT_MS = 10_000;

/** What is wrong with a token; other failures are of the provider, or of the way to it. */
const REFUSED: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The access token has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'The access token is not one for this service',
  ERR_JWT_INVALID: 'The access token is not valid',
  ERR_JWS_INVALID: 'The access token is not valid',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The access token is not valid: its signature is not the one of the issuer',
  ERR_JWKS_NO_MATCHING_KEY: 'The access token is not valid: its issuer has no such key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The access token is not valid: it does not say which key signed it',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The access token is not valid: it is not signed as access tokens are',
  ERR_JOSE_NOT_SUPPORTED: 'The access token is not valid: it is not signed as access tokens are',
};

/**
 * Checks access tokens that are JWTs: signature by the keys of the issuer, issuer, audience, time. Source: RFC 9068 section 4; what
 * providers leave out of it (`typ`, `jti`, `client_id`) is not asked for.
 */
export function createAccessTokens(options: ProviderOptions): AccessTokens {
  const configuration = createDiscovery(options);
  let keys: JWTVerifyGetKey | null = null;

  /** The keys of the issuer, fetched when they are needed, and again for a key that is not known. */
  async function keysOf(): Promise<{ readonly keys: JWTVerifyGetKey; readonly issuer: string }> {
    const { issuer, jwks_uri: uri } = (await configuration()).serverMetadata();
    if (uri === undefined) throw new StudioError('unavailable', 'The single sign-on names no keys of its tokens');
    const { createRemoteJWKSet } = await import('jose');
    keys ??= createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS });
    return { keys, issuer };
  }

  return {
    issuer: options.issuer,
    async verify(token, audiences) {
      const known = await keysOf();
      const { jwtVerify } = await import('jose');
      let claims: JWTPayload;
      try {
        const { payload } = await jwtVerify(token, known.keys, {
          issuer: known.issuer,
          audience: [...audiences],
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['sub', 'exp'],
        });
        claims = payload;
      } catch (cause) {
        const { code } = cause as { readonly code?: unknown };
        const why = typeof code === 'string' ? REFUSED[code] : undefined;
        if (why !== undefined) throw new StudioError('unauthenticated', why, { cause });
        options.log.warn({ issuer: known.issuer, err: cause }, 'keys of the OIDC provider unreachable');
        throw new StudioError('unavailable', 'The single sign-on can not be reached; try again later', { cause });
      }
      try {
        return identityOf(claims);
      } catch (cause) {
        throw new StudioError('unauthenticated', 'The access token names no person', { cause });
      }
    },
  };
}
