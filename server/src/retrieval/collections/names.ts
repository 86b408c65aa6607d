import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { isVisible } from '../visibility.ts';

/** Ids and names of the collections that are there for the caller, by name: what forms offer and checks know. */
export const listCollectionNames = (
  { db }: DatabaseDeps,
  actor: Actor,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  db.query
    .selectFrom('collections')
    .select(['id', 'name'])
    .where(isVisible(actor))
    .orderBy('name')
    .orderBy('id')
    .execute();
