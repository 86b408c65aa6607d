import type { Selectable } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import type { RetrievalDeps } from '../deps.ts';
import { isId } from '../visibility.ts';
import { findOwnCollection, findWholeCollection, type Query } from './rows.ts';

type RunTable = 'evaluation_runs' | 'extraction_runs';

interface RunsOptions<T extends RunTable, C extends string> {
  readonly table: T;
  /** What callers are told of a run. */
  readonly columns: readonly (C & keyof Selectable<Tables[T]>)[];
  /** What one is called where there is none. */
  readonly noun: string;
  /** Of the bus, on which waiting runs are announced. */
  readonly channel: string;
  /** Runs that are kept, the newest. */
  readonly kept: number;
  /** Runs that may be under way beside those that are kept; null where they count as kept, and end when they are too many. */
  readonly open: number | null;
}

/** Runs of a collection, such as evaluations, which any process makes; `Row` is what its columns hold. */
export interface CollectionRuns<Row> {
  /** The newest first. Throws StudioError `not_found`. */
  list(actor: Actor, collectionId: string): Promise<readonly Row[]>;
  /** Throws StudioError `not_found`. */
  find(actor: Actor, collectionId: string, id: string): Promise<Row>;
  /** The same of whoever may change the collection. Throws StudioError `not_found`, `forbidden`. */
  findOwn(actor: Actor, collectionId: string, id: string): Promise<Row>;
  /** Removes one; ends it. Throws StudioError `not_found`, `forbidden`. */
  remove(actor: Actor, collectionId: string, id: string): Promise<void>;
  /** Removes those that are older than the last. */
  removeOldest(query: Query, collectionId: string): Promise<void>;
  /** Tells all processes that one waits. Never rejects: a process that misses it finds the run with its next poll. */
  announce(): Promise<void>;
}

export function createCollectionRuns<T extends RunTable, C extends string>(
  { db, bus, log }: Pick<RetrievalDeps, 'db' | 'bus' | 'log'>,
  { table, columns, noun, channel, kept, open }: RunsOptions<T, C>,
): CollectionRuns<Pick<Selectable<Tables[T]>, C & keyof Selectable<Tables[T]>>> {
  type Row = Pick<Selectable<Tables[T]>, C & keyof Selectable<Tables[T]>>;
  // Both tables have the columns that are named here; Kysely can't say so of a table that is one of two.
  const runs = (query: Query, collectionId: string) =>
    query.selectFrom(table as 'extraction_runs').where('collection_id', '=', collectionId);
  const told = columns as readonly 'id'[];

  async function find(actor: Actor, collectionId: string, id: string): Promise<Row> {
    await findWholeCollection(db.query, actor, collectionId);
    const row = isId(id)
      ? await runs(db.query, collectionId).select(told).where('id', '=', id).executeTakeFirst()
      : undefined;
    if (row === undefined) throw new StudioError('not_found', `There is no such ${noun}`);
    return row as unknown as Row;
  }

  async function findOwn(actor: Actor, collectionId: string, id: string): Promise<Row> {
    await findOwnCollection(db.query, actor, collectionId);
    return find(actor, collectionId, id);
  }

  const removeAll = (query: Query, ids: readonly string[]) =>
    query
      .deleteFrom(table as 'extraction_runs')
      .where('id', 'in', ids)
      .execute();

  return {
    async list(actor, collectionId) {
      await findWholeCollection(db.query, actor, collectionId);
      const rows = await runs(db.query, collectionId)
        .select(told)
        .orderBy('number', 'desc')
        .limit(kept + (open ?? 0))
        .execute();
      return rows as unknown as Row[];
    },
    find,
    findOwn,
    async remove(actor, collectionId, id) {
      await findOwn(actor, collectionId, id);
      await removeAll(db.query, [id]);
    },
    async removeOldest(query, collectionId) {
      const oldest = await runs(query, collectionId)
        .select('id')
        .$if(open !== null, (ended) => ended.where('state', '<>', 'running'))
        .orderBy('number', 'desc')
        .offset(kept)
        .execute();
      if (oldest.length > 0)
        await removeAll(
          query,
          oldest.map(({ id }) => id),
        );
    },
    announce: () =>
      bus
        .publish(channel, null)
        .catch((error: unknown) => log.warn({ err: error }, `waiting ${noun} could not be announced on the bus`)),
  };
}
