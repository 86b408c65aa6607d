import type { Database } from '../../ports/database.ts';
import { type Caller, isVisible } from '../caller.ts';

/** Ids and names of the collections that are there for the caller, by name: what forms offer and checks know. */
export const namesOfCollections = (
  { db }: { readonly db: Database },
  caller: Caller,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  db.query
    .selectFrom('collections')
    .select(['id', 'name'])
    .where(isVisible(caller))
    .orderBy('name')
    .orderBy('id')
    .execute();
