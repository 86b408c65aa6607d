import type { Configuration } from 'openid-client';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { ExternalIdentity, SingleSignOn } from '../../ports/single-sign-on.ts';

export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly log: Logger;
}

const TIMEOUT_SECONDS = 10;

const signInFailed = (cause: unknown) =>
  new StudioError('unauthenticated', 'The single sign-on did not succeed; try again', {
    reason: 'sign_in_failed',
    cause,
  });

/** OpenID Connect: authorisation code with PKCE, state and nonce. Source: OpenID Connect Core 1.0 section 3.1, RFC 9700. */
export function createOidc({ issuer, clientId, clientSecret, name, log }: OidcOptions): SingleSignOn {
  let cachedConfiguration: Promise<Configuration> | null = null;

  /** The provider's discovery document, fetched on first use and cached; a failure is not cached. */
  const configuration = (): Promise<Configuration> => {
    cachedConfiguration ??= discover().catch((cause: unknown) => {
      cachedConfiguration = null;
      log.warn({ issuer, err: cause }, 'OIDC provider unreachable');
      throw new StudioError('unavailable', 'The single sign-on can not be reached; try again later', { cause });
    });
    return cachedConfiguration;
  };

  async function discover(): Promise<Configuration> {
    const client = await import('openid-client');
    const plain = new URL(issuer).protocol === 'http:';
    // Only where the operator wrote http:// themselves, such as for a provider on this machine.
    // oxlint-disable-next-line typescript/no-deprecated -- marked so as a warning, not to go away
    const allowPlain = client.allowInsecureRequests;
    const discovered = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      timeout: TIMEOUT_SECONDS,
      execute: plain ? [allowPlain] : [],
    });
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = discovered.serverMetadata();
    const clientAuthentication = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const clientConfiguration = new client.Configuration(
      discovered.serverMetadata(),
      clientId,
      undefined,
      clientAuthentication,
    );
    clientConfiguration.timeout = TIMEOUT_SECONDS;
    // oxlint-disable-next-line typescript/no-deprecated -- as above
    if (plain) allowPlain(clientConfiguration);
    return clientConfiguration;
  }

  return {
    name,
    async begin(redirectUri) {
      const client = await import('openid-client');
      const config = await configuration();
      const flowSecrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: flowSecrets.state,
        nonce: flowSecrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flowSecrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets: flowSecrets };
    },
    async finish(redirectUri, query, flowSecrets) {
      const client = await import('openid-client');
      const config = await configuration();
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: flowSecrets['state'] ?? '',
          expectedNonce: flowSecrets['nonce'] ?? '',
          pkceCodeVerifier: flowSecrets['verifier'] ?? '',
          idTokenExpected: true,
        });
        return identityOf(tokens.claims() ?? {});
      } catch (cause) {
        log.info({ issuer, err: cause }, 'OIDC sign-in failed');
        throw signInFailed(cause);
      }
    },
  };
}

function identityOf(claims: Readonly<Record<string, unknown>>): ExternalIdentity {
  const { iss, sub, email, email_verified: verified, name } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') throw new Error('the ID token names nobody');
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: typeof email === 'string' && verified === true ? email : null,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 100) : null,
  };
}
