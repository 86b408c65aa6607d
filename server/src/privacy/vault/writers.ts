import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { comparable } from '../find.ts';
import type { KeyedWriters } from '../mask.ts';
import {
  TOKEN_ALPHABET,
  TOKEN_ID_LENGTH,
  hashPlaceholder,
  sealedPlaceholder,
  tokenPlaceholder,
} from '../placeholder.ts';

const HASH_DIGITS = 16;

/** The context that a value is sealed with: only its tenant can open it, and only as a value of its type. */
const sealedFor = (tenantId: TenantId, type: string) => `privacy value ${tenantId} ${type}`;

/** Hash and encryption with the keys of a tenant. A hash is the same in every notation of the value. */
export const tenantWriters = (box: SecretBox, tenantId: TenantId): Pick<KeyedWriters, 'hash' | 'encrypt'> => ({
  hash(type, value) {
    const digest = box.mac(comparable(value), `privacy hash ${tenantId} ${type}`);
    return hashPlaceholder(type, digest.toString('hex').slice(0, HASH_DIGITS));
  },
  encrypt: (type, value) => sealedPlaceholder(type, box.seal(value, sealedFor(tenantId, type))),
});

/** Opens an encrypted value of this tenant; null for any other text. */
export function openSealed(box: SecretBox, tenantId: TenantId, type: string, sealed: string): string | null {
  try {
    return box.open(sealed, sealedFor(tenantId, type));
  } catch (error) {
    if (error instanceof StudioError) return null;
    throw error;
  }
}

/** Derives the token of a value in a session: always the same one, without a look into the vault. */
export function tokenOf(box: SecretBox, sessionId: string, type: FindingType, value: string): string {
  const digest = box.mac(value, `privacy token ${sessionId} ${type}`).subarray(0, TOKEN_ID_LENGTH);
  return tokenPlaceholder(type, Array.from(digest, (byte) => TOKEN_ALPHABET[byte & 31] ?? '').join(''));
}
