import { type RawBuilder, sql } from 'kysely';
import type { Actor, Principal } from '../kernel/actor.ts';

/** Who reads: an actor, or the person of a session, as which nobody has rights. */
type Reader = Principal & Partial<Actor>;

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

/** The names by which lists of readers know a person: their proven address, its domain, and the groups that have one of those in them, or such a group. */
export const readerNamesOf = ({ tenantId, userId }: Principal): RawBuilder<string[]> =>
  userId === null
    ? sql<string[]>`'{}'::text[]`
    : sql<string[]>`ARRAY(
        WITH own AS (
          SELECT unnest(ARRAY['user:' || proven_email, 'domain:' || substring(proven_email FROM '[^@]*$')]) AS name
          FROM memberships WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND state = 'active' AND proven_email IS NOT NULL
        ), named AS (
          SELECT name FROM reader_groups WHERE tenant_id = ${tenantId} AND members && ARRAY(SELECT name FROM own)
        )
        SELECT name FROM own UNION SELECT name FROM named
        UNION SELECT name FROM reader_groups WHERE tenant_id = ${tenantId} AND members && ARRAY(SELECT name FROM named))`;

/** Whether readers of a document bind an actor in a row of `collections`: they do not its owner and those who look after all. */
export const readsAll = (actor: Reader): RawBuilder<boolean> =>
  actor.openDocumentsOnly === true
    ? sql<boolean>`false`
    : actor.rights?.has('documents.all') === true
      ? sql<boolean>`true`
      : isOwner(actor);

/**
 * Whether a row of `documents` may be read by the actor, to whom the row of `collections` beside it is there: it has no readers of its own, or they are
 * among them. Whatever shows a document, or what stands in it, asks this.
 */
export const isReadable = (actor: Reader): RawBuilder<boolean> =>
  actor.openDocumentsOnly === true
    ? sql<boolean>`documents.readers IS NULL`
    : sql<boolean>`(documents.readers IS NULL OR ${readsAll(actor)} OR documents.readers && ${readerNamesOf(actor)})`;

const ID = /^[0-9a-f]{32}$/;
/** Whether a text can be an id at all. */
export const isId = (text: string): boolean => ID.test(text);

/** A pattern of LIKE that finds a text anywhere. */
export const likeText = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
