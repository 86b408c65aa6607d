import type { TenantId } from '../../kernel/context.ts';
import type { Query } from '../collections/rows.ts';

// Who is in groups that lists of readers name. Members are names as well: people, domains, other groups.

/** Readers that a document names itself; a longer list is a group of its own. */
const MAX_READERS = 100;

/** A collection, and the tenant that it belongs to. */
export interface ReaderPlace {
  readonly tenantId: TenantId;
  readonly collectionId: string;
}

/** Says who is in a group; null: that is not known, so nobody is. */
export async function changeReaderGroup(
  query: Query,
  { tenantId, collectionId }: ReaderPlace,
  name: string,
  members: readonly string[] | null,
): Promise<void> {
  if (members === null) {
    await query.deleteFrom('reader_groups').where('name', '=', name).where('tenant_id', '=', tenantId).execute();
    return;
  }
  await query
    .insertInto('reader_groups')
    .values({ name, tenant_id: tenantId, collection_id: collectionId, members: [...members] })
    .onConflict((on) => on.column('name').doUpdateSet({ members: [...members] }))
    .execute();
}

/** Removes the groups of a collection whose names begin so, but for some. */
export async function forgetReaderGroups(
  query: Query,
  { tenantId, collectionId }: ReaderPlace,
  beginning: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const rows = await query
    .selectFrom('reader_groups')
    .select('name')
    .where('collection_id', '=', collectionId)
    .where('tenant_id', '=', tenantId)
    .execute();
  const gone = rows.map(({ name }) => name).filter((name) => name.startsWith(beginning) && !kept.has(name));
  if (gone.length > 0) await query.deleteFrom('reader_groups').where('name', 'in', gone).execute();
}

/** Readers as a document holds them, whose external id is its own in the collection. */
export async function readersToStore(
  query: Query,
  place: ReaderPlace,
  externalId: string,
  readers: readonly string[] | null,
): Promise<readonly string[] | null> {
  const name = `list:${externalId}`;
  const isLong = readers !== null && readers.length > MAX_READERS;
  await changeReaderGroup(query, place, name, isLong ? readers : null);
  return isLong ? [name] : readers;
}
