import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { FieldValue, IndexFilter } from '../../ports/search-index.ts';
import type { SearchedCollection } from '../collections/rows.ts';
import { readerNamesOf } from '../visibility.ts';

// Readers of documents in searches. The index is asked for what may be read, so that searches find as much as they would without the rest; the database
// is asked again for each passage, and decides.

/** Field of the index that holds the readers of a document. Filters of callers can't name it: there `$` begins an operator. */
const READERS_FIELD = '$readers';
/** In the place of readers where nobody is one: a field without values counts as missing. */
const NOBODY = '-';
/** Names that the index is asked for; who has more is found out by the database alone. */
const MAX_NAMES = 2_000;

/** What the index knows of the readers of a document; nothing where it has none of its own. */
export const readersField = (
  readers: readonly string[] | null,
): Readonly<Record<string, FieldValue | readonly FieldValue[]>> =>
  readers === null ? {} : { [READERS_FIELD]: readers.length === 0 ? [NOBODY] : readers };

/** What of the searched collections is there for whoever searches. */
export interface Sight {
  /** Names by which lists of readers know them. */
  readonly names: readonly string[];
  /** Ids of collections of which they read all. */
  readonly whole: readonly string[];
  /** Ids of collections in which they read what lists of readers say. */
  readonly bound: ReadonlySet<string>;
}

/** What everybody may read, before it is known who asks. */
export const openSight = (collections: readonly Pick<SearchedCollection, 'id'>[]): Sight => ({
  names: [],
  whole: [],
  bound: new Set(collections.map(({ id }) => id)),
});

/** What is there for an actor. The database is asked where a collection holds documents with readers alone. */
export async function sightOf(
  { db }: DatabaseDeps,
  actor: Actor,
  collections: readonly SearchedCollection[],
): Promise<Sight> {
  const restricted = collections.filter(({ has_restricted: has }) => has);
  const bound = restricted.filter(({ reads_all: all }) => !all);
  const { rows } =
    bound.length === 0 || actor.openDocumentsOnly === true
      ? { rows: [] }
      : await sql<{ readonly names: string[] }>`SELECT ${readerNamesOf(actor)} AS names`.execute(db.query);
  return {
    names: rows[0]?.names ?? [],
    whole: restricted.filter(({ reads_all: all }) => all).map(({ id }) => id),
    bound: new Set(bound.map(({ id }) => id)),
  };
}

/** A filter with what of a collection may be read. */
export function readableOnly(
  filter: IndexFilter | null,
  { names, bound }: Sight,
  collectionId: string,
): IndexFilter | null {
  if (!bound.has(collectionId) || names.length > MAX_NAMES) return filter;
  const open: IndexFilter = { op: 'not', of: { op: 'exists', field: READERS_FIELD } };
  const readable: IndexFilter =
    names.length === 0 ? open : { op: 'or', of: [open, { op: 'in', field: READERS_FIELD, values: names }] };
  return filter === null ? readable : { op: 'and', of: [readable, filter] };
}
