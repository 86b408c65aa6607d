import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { StudioError } from './errors.ts';

/** Keeps secrets that have to be read again (TOTP secrets, keys of model servers) unreadable in the database. */
export interface SecretBox {
  /** Text for the database. `purpose` is what the secret is for and whose it is: one that was copied elsewhere does not open there. */
  seal(text: string, purpose: string): string;
  /** Throws StudioError `unavailable` for what was sealed with another key or for another purpose, or is damaged. */
  open(sealed: string, purpose: string): string;
  /** 32 bytes that are the same for the same text and purpose, and that tell neither to who lacks the key. */
  mac(text: string, purpose: string): Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_PASSPHRASE = 12;

/** Form of the stored text: version, mark of the key, then nonce, tag and cipher text. */
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

const closed = (message: string, cause?: unknown) =>
  new StudioError('unavailable', message, cause === undefined ? {} : { cause });

/**
 * The 32 bytes that an operator's secret stands for: 64 hex digits or base64 of 32 bytes as they are, any other text of
 * at least 12 characters as a passphrase. Throws StudioError `invalid_request`.
 */
export function secretKeyFrom(text: string): Buffer {
  const given = text.trim();
  if (/^[0-9a-f]{64}$/i.test(given)) return Buffer.from(given, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(given)) return Buffer.from(given, 'base64url');
  if (given.length < MIN_PASSPHRASE)
    throw new StudioError(
      'invalid_request',
      `secret_key is too short: it must be 32 bytes in base64 or hex (openssl rand -base64 32), or a passphrase of at least ${MIN_PASSPHRASE} characters`,
    );
  // The salt is fixed, so that all processes come to the same key. Costs about 100 ms, once.
  return scryptSync(given.normalize('NFC'), 'ai-studio/secret-key/1', KEY_BYTES, {
    N: 32_768,
    r: 8,
    p: 1,
    maxmem: 64 * 1024 * 1024,
  });
}

/**
 * AES-256-GCM under a key that is derived from the installation's secret: its 32 bytes, or the text of the operator (see
 * {@link secretKeyFrom}). Source: NIST SP 800-38D; a random nonce for each secret, the purpose as associated data. Throws StudioError `invalid_request`.
 */
export function createSecretBox(secret: string | Buffer): SecretBox {
  const master = typeof secret === 'string' ? secretKeyFrom(secret) : secret;
  const key = Buffer.from(hkdfSync('sha256', master, '', 'ai-studio secrets at rest', KEY_BYTES));
  const macKey = Buffer.from(hkdfSync('sha256', master, '', 'ai-studio marks of values', KEY_BYTES));
  const mark = createHash('sha256').update('ai-studio key mark').update(key).digest('hex').slice(0, 8);
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose, 'utf8'));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${mark}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [, sealedWith, text = ''] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(text, 'base64url');
      if (sealedWith === undefined || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw closed('A stored secret is not of a form that this version knows');
      if (sealedWith !== mark)
        throw closed(
          'A stored secret was sealed with another key: give the former one as secret_key (STUDIO_SECRET_KEY) or put the former secret.key back into the data folder, or enter the secret again',
        );
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose, 'utf8'))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (cause) {
        throw closed('A stored secret was changed since it was written, or belongs elsewhere; enter it again', cause);
      }
    },
    // The purpose has its own key, so that no purpose and text look like another pair.
    mac: (text, purpose) =>
      createHmac('sha256', createHmac('sha256', macKey).update(purpose, 'utf8').digest()).update(text, 'utf8').digest(),
  };
}
