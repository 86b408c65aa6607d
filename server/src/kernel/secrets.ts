import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { StudioError } from './errors.ts';

/** Encryption of what must not be read by whoever has the database alone. */
export interface Secrets {
  /** Text for the database. `context` names the place, such as `model_servers:ID`; only there can it be opened. */
  seal(secret: string, context: string): string;
  /** Throws StudioError `unavailable` for what was sealed with another key or for another place, or was changed since. */
  open(sealed: string, context: string): string;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LEAST_PASSPHRASE = 12;

/** Form of the stored text: version, mark of the key, then iv, tag and cipher text. */
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

const wrongKey = (message: string, cause?: unknown) =>
  new StudioError('unavailable', message, cause === undefined ? {} : { cause });

/**
 * The 32 bytes that an operator's secret stands for: 64 hex digits or base64 of 32 bytes as they are, any other text of
 * at least 12 characters as a passphrase. Throws StudioError `invalid_request`.
 */
export function secretKeyFrom(text: string): Buffer {
  const given = text.trim();
  if (/^[0-9a-f]{64}$/i.test(given)) return Buffer.from(given, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(given)) return Buffer.from(given, 'base64url');
  if (given.length < LEAST_PASSPHRASE)
    throw new StudioError(
      'invalid_request',
      `secret_key is too short: it must be 32 bytes in base64 or hex (openssl rand -base64 32), or a passphrase of at least ${LEAST_PASSPHRASE} characters`,
    );
  // The salt is fixed, so that all processes come to the same key. Costs about 100 ms, once.
  return scryptSync(given.normalize('NFC'), 'ai-studio/secret-key/1', KEY_BYTES, {
    N: 32_768,
    r: 8,
    p: 1,
    maxmem: 64 * 1024 * 1024,
  });
}

/** AES-256-GCM under a key of 32 bytes. Source: NIST SP 800-38D; a random IV a secret, the place as associated data. */
export function createSecrets(master: Buffer): Secrets {
  if (master.length !== KEY_BYTES) throw new TypeError(`A key has ${KEY_BYTES} bytes, not ${master.length}`);
  const key = Buffer.from(hkdfSync('sha256', master, '', 'ai-studio secrets at rest', KEY_BYTES));
  const mark = createHash('sha256').update('ai-studio key mark').update(key).digest('hex').slice(0, 8);
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `v1.${mark}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [, sealedWith, text = ''] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(text, 'base64url');
      if (sealedWith === undefined || bytes.length < IV_BYTES + TAG_BYTES)
        throw wrongKey('A stored secret is not of a form that this version knows');
      if (sealedWith !== mark)
        throw wrongKey(
          'A stored secret was sealed with another key: give the former one as secret_key (STUDIO_SECRET_KEY) or put the former secret.key back into the data folder, or enter the secret again',
        );
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context, 'utf8'))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (cause) {
        throw wrongKey('A stored secret was changed since it was written, or belongs elsewhere; enter it again', cause);
      }
    },
  };
}
