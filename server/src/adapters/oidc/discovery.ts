import type { Configuration } from 'openid-client';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly log: Logger;
}

const TIMEOUT_SECONDS = 10;

async function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<Configuration> {
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

/** The discovery document of a provider, fetched on first use and cached; a failure is not cached. Rejects with StudioError `unavailable`. */
export function createDiscovery(options: ProviderOptions): () => Promise<Configuration> {
  const { issuer, log } = options;
  let cached: Promise<Configuration> | null = null;
  return () => {
    cached ??= discover(options).catch((cause: unknown) => {
      cached = null;
      log.warn({ issuer, err: cause }, 'OIDC provider unreachable');
      throw new StudioError('unavailable', 'The single sign-on can not be reached; try again later', { cause });
    });
    return cached;
  };
}
