import { limitFields } from '@ai-studio/contract/limits.ts';
import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import type { Kysely, Selectable } from 'kysely';
import { limitsOf, type RateLimits, withDefaultLimits } from '../kernel/rate-limits.ts';
import type { Tables } from '../ports/database.ts';
import type { ApiKeysTable } from './tables.ts';
import { keyScopes, type KeyRecord, type KeyScope, type ToolStream } from './key-record.ts';
import { guardOf, resolveGuard } from '../privacy/index.ts';
import { settingsOf } from './settings-form.ts';

/** The fields of a key that people may see. */
export interface KeyInfo extends RateLimits {
  readonly id: string;
  readonly name: string;
  /** First characters of the value. */
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly KeyScope[];
  /** Null for all models. */
  readonly allowedModels: readonly string[] | null;
  readonly toolStream: ToolStream | null;
  /** Whether deployed agents are models to its holder. */
  readonly agentModels: boolean;
  /** Null where the tenant's mode applies. */
  readonly privacyMode: GuardMode | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Up to half a minute late. */
  readonly lastUsedAt: Date | null;
}

type Row = Selectable<ApiKeysTable>;

/** Rows of a {@link KeyRecord}: the key, the settings of its tenant, and the membership of its holder. */
export const recordRows = (db: Kysely<Tables>) =>
  db
    .selectFrom('api_keys')
    .leftJoin('tenant_settings', 'tenant_settings.tenant_id', 'api_keys.tenant_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.tenant_id', '=', 'api_keys.tenant_id')
        .onRef('memberships.user_id', '=', 'api_keys.created_by'),
    )
    .select([
      'api_keys.id',
      'api_keys.tenant_id',
      'api_keys.name',
      'api_keys.sha256',
      'api_keys.scopes',
      'api_keys.allowed_models',
      ...limitFields.map((field) => `api_keys.${field}` as const),
      'api_keys.tool_stream',
      'api_keys.agent_models',
      'api_keys.privacy_mode',
      'api_keys.created_by',
      'api_keys.expires_at',
      'api_keys.deleted_at',
      'api_keys.version',
      'tenant_settings.settings',
      'memberships.role as holder_role',
      'memberships.state as holder_state',
    ]);

type RecordRow = Awaited<ReturnType<ReturnType<typeof recordRows>['executeTakeFirstOrThrow']>>;

/** A key with the models and limits of its tenant applied. */
export function toRecord(row: RecordRow): KeyRecord {
  const tenant = settingsOf('', row.settings);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    holderId: row.created_by,
    scopes: new Set(knownScopes(row.scopes)),
    allowedModels: intersect(row.allowed_models, tenant.allowed_models),
    limits: withDefaultLimits(limitsOf(row), limitsOf(tenant)),
    expiresAt: row.expires_at?.getTime() ?? null,
    toolStream: row.tool_stream ?? tenant.tool_stream,
    agentModels: row.agent_models,
    guard: resolveGuard(guardOf(row.settings), row.privacy_mode),
    holderMayCall: row.created_by === null || mayCall(row),
  };
}

/** Source: interface section 5, table of roles. */
const mayCall = ({ holder_role, holder_state }: RecordRow) =>
  holder_state === 'active' && (holder_role === 'developer' || holder_role === 'administrator');

/** Intersects two lists of allowed models; null allows all. */
function intersect(first: readonly string[] | null, second: readonly string[] | null): ReadonlySet<string> | null {
  if (first === null || second === null) {
    const single = first ?? second;
    return single === null ? null : new Set(single);
  }
  return new Set(first.filter((id) => second.includes(id)));
}

export function toInfo(row: Row): KeyInfo {
  return {
    id: row.id,
    name: row.name,
    start: row.key_start,
    last4: row.key_last4,
    scopes: knownScopes(row.scopes),
    allowedModels: row.allowed_models,
    ...limitsOf(row),
    toolStream: row.tool_stream,
    agentModels: row.agent_models,
    privacyMode: row.privacy_mode,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}

/** Drops scopes of later versions, which this version can't grant. */
const knownScopes = (scopes: readonly string[]) =>
  scopes.filter((scope): scope is KeyScope => (keyScopes as readonly string[]).includes(scope));
