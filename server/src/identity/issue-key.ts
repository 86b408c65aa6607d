import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import { StudioError, invalidRequest } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { fieldsOf, type RateLimits } from '../kernel/rate-limits.ts';
import type { TenantAuditActor } from './audit-actor.ts';
import { writeAudit } from './audit.ts';
import { changeKeys, type KeyChangeDeps } from './key-changes.ts';
import { requireKeyQuota } from './key-details.ts';
import { keyHash, keyHints, generateKeyValue } from './key-format.ts';
import { keyScopes, type KeyScope, type ToolStream } from './key-record.ts';
import { toInfo, type KeyInfo } from './key-row.ts';

/** Input for a new key. Fields that are left out do not limit it. */
export interface NewKey extends Partial<RateLimits> {
  readonly name: string;
  /** All scopes when left out. */
  readonly scopes?: readonly KeyScope[];
  readonly allowedModels?: readonly string[] | null;
  readonly expiresAt?: Date | null;
  readonly toolStream?: ToolStream | null;
  readonly agentModels?: boolean;
  readonly privacyMode?: GuardMode | null;
}

export interface IssuedKey {
  readonly key: KeyInfo;
  /** The whole value, to be shown once and stored nowhere. */
  readonly value: string;
}

const MAX_NAME_LENGTH = 100;
const MAX_LIMIT = 2_147_483_647;

/**
 * Issues a key of the tenant, which every process accepts from now on. People can't issue more keys than the tenant may have.
 * Errors: `invalid_request`, `conflict` (key_limit_reached).
 */
export async function issueKey(deps: KeyChangeDeps, who: TenantAuditActor, input: NewKey): Promise<IssuedKey> {
  checkNewKey(input);
  const value = generateKeyValue();
  const issued = await changeKeys(deps, async (tx, version) => {
    if (who.userId !== null) await requireKeyQuota(tx, who.tenantId);
    const row = await tx
      .insertInto('api_keys')
      .values(newRow(who, input, value, version))
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAudit(tx, who, {
      action: 'key_created',
      target: { kind: 'key', id: row.id, name: row.name },
      detail: { start: row.key_start, scopes: row.scopes.join(', ') },
    });
    return row;
  });
  if (issued === null) throw new StudioError('internal', 'The key was not stored.');
  return { key: toInfo(issued.result), value };
}

/** The row of a new key with this value. */
export function newRow(who: TenantAuditActor, input: NewKey, value: string, version: number) {
  const { start, last4 } = keyHints(value);
  return {
    id: hexId(),
    tenant_id: who.tenantId,
    name: input.name.trim(),
    sha256: keyHash(value),
    key_start: start,
    key_last4: last4,
    scopes: [...(input.scopes ?? keyScopes)],
    allowed_models: input.allowedModels == null ? null : [...input.allowedModels],
    ...fieldsOf(input),
    tool_stream: input.toolStream ?? null,
    agent_models: input.agentModels ?? false,
    privacy_mode: input.privacyMode ?? null,
    created_by: who.userId,
    expires_at: input.expiresAt ?? null,
    version,
  };
}

function checkNewKey(input: NewKey): void {
  const name = input.name.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw invalidRequest(`A key needs a name of at most ${MAX_NAME_LENGTH} characters.`, 'name');
  if (input.scopes?.length === 0) throw invalidRequest('A key needs at least one scope.', 'scopes');
  for (const scope of input.scopes ?? []) {
    if (!keyScopes.includes(scope)) throw invalidRequest(`Unknown scope; known are ${keyScopes.join(', ')}.`, 'scopes');
  }
  for (const [field, limit] of Object.entries(fieldsOf(input))) checkLimit(limit, field);
  if (input.expiresAt != null && !(input.expiresAt.getTime() > Date.now()))
    throw invalidRequest('The expiry must lie in the future.', 'expires_at');
}

function checkLimit(limit: number | null, param: string): void {
  if (limit === null) return;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest('A limit is a whole number of at least 1.', param);
}
