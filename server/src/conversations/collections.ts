import type { ConversationCollection } from '@ai-studio/contract/console/conversation-parts.ts';
import type { Actor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { listCollectionNames } from '../retrieval/index.ts';

// Collections that a person chose for a conversation. What is not there for them any more is passed over when it is read.

/** Those of the ids that are there for the actor, in this order. */
export async function namedCollections(
  deps: DatabaseDeps,
  actor: Actor,
  ids: readonly string[],
): Promise<ConversationCollection[]> {
  if (ids.length === 0) return [];
  const names = new Map((await listCollectionNames(deps, actor)).map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
}

/** The same for what somebody chooses now. Throws StudioError `not_found` for one that is not there. */
export async function requireCollections(
  deps: DatabaseDeps,
  actor: Actor,
  ids: readonly string[],
): Promise<ConversationCollection[]> {
  const wanted = [...new Set(ids)];
  const named = await namedCollections(deps, actor, wanted);
  if (named.length < wanted.length)
    throw new StudioError('not_found', 'collections names a collection that is not there', { param: 'collections' });
  return named;
}
