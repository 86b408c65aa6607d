import { type RawBuilder, sql } from 'kysely';
import type { Actor, Principal } from '../kernel/actor.ts';

/**
 * Whether a row of `collections` is the actor's own: made by the person, or by the key where nobody holds it. When such a key was
 * deleted, other keys that nobody holds take its place.
 */
export const isOwner = ({ userId, keyId }: Principal): RawBuilder<boolean> => sql<boolean>`coalesce(
  CASE WHEN collections.owner_user_id IS NOT NULL THEN collections.owner_user_id = ${userId}::text
  ELSE ${userId}::text IS NULL AND (
    collections.owner_key_id = ${keyId}::text
    OR (${keyId}::text IS NOT NULL AND EXISTS (
      SELECT 1 FROM api_keys WHERE api_keys.id = collections.owner_key_id AND api_keys.deleted_at IS NOT NULL)))
  END, false)`;

/** Whether a row of `collections` is there for the actor. Files of conversations are there for their own person alone, and for conversations alone. */
export const isVisible = (actor: Actor): RawBuilder<boolean> =>
  sql<boolean>`(collections.tenant_id = ${actor.tenantId} AND collections.deleted_at IS NULL
    AND CASE WHEN collections.purpose = 'chat' THEN ${actor.rights.has('chat.files')} AND ${isOwner(actor)}
    ELSE ${actor.rights.has('collections.all')} OR collections.visibility = 'tenant' OR ${isOwner(actor)} END)`;

const ID = /^[0-9a-f]{32}$/;
/** Whether a text can be an id at all. */
export const isId = (text: string): boolean => ID.test(text);

/** A pattern of LIKE that finds a text anywhere. */
export const likeText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
