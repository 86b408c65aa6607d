import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { StudioError } from './errors.ts';

/** Encrypts secrets in the database that have to be read again, such as TOTP secrets and keys of model servers. */
export interface SecretBox {
  /** Encrypts a text for the database. `purpose` names its use and owner: a copy in another place can't be opened. */
  seal(text: string, purpose: string): string;
  /** Decrypts. Throws StudioError `unavailable` where the text was sealed with another key or purpose, or is damaged. */
  open(sealed: string, purpose: string): string;
  /** A keyed hash: 32 bytes that depend on text and purpose, and reveal neither without the key. */
  mac(text: string, purpose: string): Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MIN_PASSPHRASE = 12;

/** Form of the stored text: version, mark of the key, then nonce, tag and ciphertext. */
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

const cannotOpen = (message: string, cause?: unknown) =>
  new StudioError('unavailable', message, cause === undefined ? {} : { cause });

/**
 * Derives 32 bytes from an operator's secret: decodes 64 hex digits or base64 of 32 bytes, and takes any other text of
 * at least 12 characters as a passphrase. Throws StudioError `invalid_request`.
 */
export function secretKeyFrom(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return Buffer.from(trimmed, 'base64url');
  if (trimmed.length < MIN_PASSPHRASE)
    throw new StudioError(
      'invalid_request',
      `secret_key is too short: it must be 32 bytes in base64 or hex (openssl rand -base64 32), or a passphrase of at least ${MIN_PASSPHRASE} characters`,
    );
  // The salt is fixed, so that all processes derive the same key. Costs about 100 ms, once.
  return scryptSync(trimmed.normalize('NFC'), 'ai-studio/secret-key/1', KEY_BYTES, {
    N: 32_768,
    r: 8,
    p: 1,
    maxmem: 64 * 1024 * 1024,
  });
}

/** Purposes whose keys are kept: those of many tenants, or of the types of one session. */
const MAX_PURPOSES = 500;

/** The keys of purposes, the latest kept: to make one takes five times as long as what it is used for. */
function createPurposeKeys(macKey: KeyObject): (purpose: string) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (purpose) => {
    const known = kept.get(purpose);
    if (known) return known;
    const key = createSecretKey(createHmac('sha256', macKey).update(purpose, 'utf8').digest());
    const [oldest] = kept.size >= MAX_PURPOSES ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(purpose, key);
    return key;
  };
}

/**
 * AES-256-GCM under a key that is derived from the installation's secret: its 32 bytes, or the text of the operator (see
 * {@link secretKeyFrom}). Source: NIST SP 800-38D; a random nonce for each secret, the purpose as associated data. Throws StudioError `invalid_request`.
 */
export function createSecretBox(secret: string | Buffer): SecretBox {
  const master = typeof secret === 'string' ? secretKeyFrom(secret) : secret;
  const key = Buffer.from(hkdfSync('sha256', master, '', 'ai-studio secrets at rest', KEY_BYTES));
  const macKey = createSecretKey(Buffer.from(hkdfSync('sha256', master, '', 'ai-studio marks of values', KEY_BYTES)));
  const keyFor = createPurposeKeys(macKey);
  const keyMark = createHash('sha256').update('ai-studio key mark').update(key).digest('hex').slice(0, 8);
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose, 'utf8'));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${keyMark}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [, sealedWith, text = ''] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(text, 'base64url');
      if (sealedWith === undefined || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw cannotOpen('A stored secret is not of a form that this version knows');
      if (sealedWith !== keyMark)
        throw cannotOpen(
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
        throw cannotOpen(
          'A stored secret was changed since it was written, or belongs elsewhere; enter it again',
          cause,
        );
      }
    },
    // The purpose has its own key, so that no purpose and text look like another pair.
    mac: (text, purpose) => createHmac('sha256', keyFor(purpose)).update(text, 'utf8').digest(),
  };
}
