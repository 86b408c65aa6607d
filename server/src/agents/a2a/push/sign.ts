import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { hexId } from '../../../kernel/ids.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';

// A signature by which receivers of notifications know them for ours: a JWT (RFC 7519) by Ed25519 (RFC 8037), whose public key is
// served as a JWK set (RFC 7517).

/** A receiver whose clock is a little wrong takes it too. */
const VALID_SECONDS = 300;
/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. Source: RFC 8410, section 7. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Signed {
  /** Address that is told. */
  readonly url: string;
  readonly taskId: string;
  readonly body: string;
}

export interface Signer {
  /** A JWT: iss, aud (the address), iat, exp, jti, taskId, request_body_sha256 (hex). */
  sign(what: Signed): string;
  /** The JWK set to check it with. */
  readonly keySet: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The key comes from the installation's secret, so that all processes have the same one. */
export function createSigner(box: Pick<SecretBox, 'mac'>, issuer: () => string, now: () => number): Signer {
  const seed = box.mac('ed25519', 'a2a push notifications');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const jwk = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(jwk.x)).digest('hex').slice(0, 16);
  return {
    keySet: { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] },
    sign({ url, taskId, body }) {
      const iat = Math.floor(now() / 1000);
      const claims = {
        iss: issuer(),
        aud: url,
        iat,
        exp: iat + VALID_SECONDS,
        jti: hexId(),
        taskId,
        request_body_sha256: createHash('sha256').update(body).digest('hex'),
      };
      const text = `${part({ alg: 'EdDSA', typ: 'JWT', kid })}.${part(claims)}`;
      return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
    },
  };
}
