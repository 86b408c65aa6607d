import type { Selectable } from 'kysely';
import type { ApiKeysTable } from '../ports/tables.ts';
import { keyScopes, type KeyRecord, type KeyScope, type ToolStream } from './key-record.ts';

/** What people may see of a key. */
export interface KeyInfo {
  readonly id: string;
  readonly name: string;
  /** First characters of the value. */
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly KeyScope[];
  /** Null for all models. */
  readonly allowedModels: readonly string[] | null;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly toolStream: ToolStream | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Behind by up to half a minute. */
  readonly lastUsedAt: Date | null;
}

type Row = Selectable<ApiKeysTable>;

/** Columns that make a {@link KeyRecord}. */
export const recordColumns = [
  'id',
  'tenant_id',
  'name',
  'sha256',
  'scopes',
  'allowed_models',
  'requests_per_minute',
  'tokens_per_minute',
  'tool_stream',
  'expires_at',
  'deleted_at',
  'version',
] as const;

export function toRecord(row: Pick<Row, (typeof recordColumns)[number]>): KeyRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    scopes: new Set(knownScopes(row.scopes)),
    allowedModels: row.allowed_models === null ? null : new Set(row.allowed_models),
    limits: { requestsPerMinute: row.requests_per_minute, tokensPerMinute: row.tokens_per_minute },
    expiresAt: row.expires_at?.getTime() ?? null,
    toolStream: row.tool_stream,
  };
}

export function toInfo(row: Row): KeyInfo {
  return {
    id: row.id,
    name: row.name,
    start: row.key_start,
    last4: row.key_last4,
    scopes: knownScopes(row.scopes),
    allowedModels: row.allowed_models,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    toolStream: row.tool_stream,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}

/** A scope that a later version added is no right that this one could grant. */
const knownScopes = (scopes: readonly string[]) =>
  scopes.filter((scope): scope is KeyScope => (keyScopes as readonly string[]).includes(scope));
