import { LoginResult, WebAuthnJson } from '@ai-studio/contract/console/session.ts';
import { api } from './client.ts';

/** An address of numbers: passkeys belong to names. */
const isNumeric = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');

/** Whether this browser, at this address, can use passkeys. */
export const canUsePasskeys = (): boolean =>
  !isNumeric(globalThis.location.hostname) &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  globalThis.isSecureContext;

/** The person waved the browser's question away, or took too long to answer it. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Signs in with a passkey of this device or of another that is near. Throws ApiError and DOMException. */
export async function signInWithPasskey(): Promise<LoginResult> {
  const options = await api.post('/login/passkey/options', {}, WebAuthnJson);
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    ),
  });
  return api.post('/login/passkey', { response: jsonOf(credential) }, LoginResult);
}

/** Makes a passkey for the signed-in person. Throws ApiError and DOMException. */
export async function addPasskey(name: string): Promise<void> {
  const options = await api.post('/me/passkeys/options', {}, WebAuthnJson);
  const credential = await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    ),
  });
  await api.run('POST', '/me/passkeys', { name, response: jsonOf(credential) });
}

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No credential was chosen', 'AbortError');
  return credential.toJSON();
}
