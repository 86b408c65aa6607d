import { type RawBuilder, sql } from 'kysely';
import type { TenantId } from '../kernel/context.ts';

/** Who asks. */
export interface Caller {
  readonly tenantId: TenantId;
  /** Null for people in the console. */
  readonly keyId: string | null;
  /** The person, or the one who holds the key; null for keys of the service itself. */
  readonly userId: string | null;
  /** Whether everything of the tenant is theirs to see and to change: administrators in the console. */
  readonly administers?: boolean;
  /** Null is all. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * Whether a row of `collections` is the caller's own: made by the person, or by the key where nobody holds it. When such a key was
 * deleted, other keys that nobody holds take its place.
 */
export const isOwner = ({ userId, keyId }: Caller): RawBuilder<boolean> => sql<boolean>`coalesce(
  CASE WHEN collections.owner_user_id IS NOT NULL THEN collections.owner_user_id = ${userId}::text
  ELSE ${userId}::text IS NULL AND (
    collections.owner_key_id = ${keyId}::text
    OR (${keyId}::text IS NOT NULL AND EXISTS (
      SELECT 1 FROM api_keys WHERE api_keys.id = collections.owner_key_id AND api_keys.deleted_at IS NOT NULL)))
  END, false)`;

/** Whether a row of `collections` is there for the caller. */
export const isVisible = (caller: Caller): RawBuilder<boolean> =>
  sql<boolean>`(collections.tenant_id = ${caller.tenantId} AND collections.deleted_at IS NULL
    AND (${caller.administers === true} OR collections.visibility = 'tenant' OR ${isOwner(caller)}))`;

const ID = /^[0-9a-f]{32}$/;
/** Whether a text can be an id at all. */
export const isId = (text: string): boolean => ID.test(text);

/** A pattern of LIKE that finds a text anywhere. */
export const likeText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
