import type { FindingType } from '@ai-studio/contract/utilities/privacy.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { essence } from '../find.ts';
import type { KeyedWriters } from '../mask.ts';
import {
  TOKEN_ALPHABET,
  TOKEN_ID_LENGTH,
  hashPlaceholder,
  sealedPlaceholder,
  tokenPlaceholder,
} from '../placeholder.ts';

const HASH_DIGITS = 16;

/** What an encrypted value is sealed for: it opens for its tenant only, and as what it is. */
const sealedFor = (tenantId: TenantId, type: string) => `privacy value ${tenantId} ${type}`;

/** Hash and encryption of a tenant. A hash is the same however the value is written. */
export const tenantWriters = (box: SecretBox, tenantId: TenantId): Pick<KeyedWriters, 'hash' | 'encrypt'> => ({
  hash(type, value) {
    const mark = box.mac(essence(value), `privacy hash ${tenantId} ${type}`);
    return hashPlaceholder(type, mark.toString('hex').slice(0, HASH_DIGITS));
  },
  encrypt: (type, value) => sealedPlaceholder(type, box.seal(value, sealedFor(tenantId, type))),
});

/** An encrypted value of this tenant; null for any other text. */
export function openSealed(box: SecretBox, tenantId: TenantId, type: string, sealed: string): string | null {
  try {
    return box.open(sealed, sealedFor(tenantId, type));
  } catch (error) {
    if (error instanceof StudioError) return null;
    throw error;
  }
}

/** The token of a value in a session: the same one each time, without asking the vault. */
export function tokenOf(box: SecretBox, sessionId: string, type: FindingType, value: string): string {
  const mark = box.mac(value, `privacy token ${sessionId} ${type}`).subarray(0, TOKEN_ID_LENGTH);
  return tokenPlaceholder(type, Array.from(mark, (byte) => TOKEN_ALPHABET[byte & 31] ?? '').join(''));
}
