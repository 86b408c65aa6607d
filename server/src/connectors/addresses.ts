import type { ConnectorSettings } from '@ai-studio/contract/retrieval/connector.ts';
import { StudioError } from '../kernel/errors.ts';

/** Secrets by which a source knows who asks, of kinds whose addresses might hold them; of others nobody is asked who they are. */
const secretsInstead: Partial<Record<ConnectorSettings['kind'], string>> = {
  webdav: 'username and password',
  git: 'username and password',
  confluence: 'username and password, or token',
  s3: 'access_key_id and secret_access_key',
  sharepoint: 'client_secret',
};

/** Throws StudioError `invalid_request` where an address holds a user name or a password: addresses are shown, and kept as they are. */
export function refuseSecretsInAddress(settings: ConnectorSettings): void {
  for (const [field, value] of Object.entries(settings)) {
    if (typeof value !== 'string' || !/^https?:/i.test(value) || !URL.canParse(value)) continue;
    const { username, password } = new URL(value);
    if (username === '' && password === '') continue;
    const secrets = secretsInstead[settings.kind];
    const instead =
      secrets === undefined ? 'sources of this kind are read without them' : `give them as the secrets ${secrets}`;
    throw new StudioError('invalid_request', `The address holds a user name or a password: ${instead}`, {
      param: `settings.${field}`,
      reason: secrets === undefined ? 'connector_address_password' : 'connector_address_secrets',
    });
  }
}
