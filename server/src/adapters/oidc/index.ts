import { StudioError } from '../../kernel/errors.ts';
import type { SingleSignOn } from '../../ports/single-sign-on.ts';
import { createDiscovery, type ProviderOptions } from './discovery.ts';
import { identityOf } from './identity-of.ts';

export { createAccessTokens } from './access-tokens.ts';

export interface OidcOptions extends ProviderOptions {
  readonly name: string;
}

const signInFailed = (cause: unknown) =>
  new StudioError('unauthenticated', 'The single sign-on did not succeed; try again', {
    reason: 'sign_in_failed',
    cause,
  });

/** OpenID Connect: authorisation code with PKCE, state and nonce. Source: OpenID Connect Core 1.0 section 3.1, RFC 9700. */
export function createOidc({ name, ...provider }: OidcOptions): SingleSignOn {
  const { issuer, log } = provider;
  const configuration = createDiscovery(provider);

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
