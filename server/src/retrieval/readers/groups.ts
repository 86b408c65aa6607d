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

/** A group that lists of readers name. */
interface ReaderGroup {
  readonly name: string;
  /** As its source calls it. */
  readonly title: string;
  /** Null: nobody tells who is in it, so nobody reads by it. */
  readonly members: readonly string[] | null;
}

/** Says who is in a group. */
export async function changeReaderGroup(
  query: Query,
  { tenantId, collectionId }: ReaderPlace,
  { name, title, members: given }: ReaderGroup,
): Promise<void> {
  const members = given === null ? null : [...given];
  await query
    .insertInto('reader_groups')
    .values({ name, tenant_id: tenantId, collection_id: collectionId, title, members })
    .onConflict((on) => on.column('name').doUpdateSet({ title, members }))
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

const listOf = (externalId: string): string => `list:${externalId}`;

/** Removes the long lists of documents that are gone, by their external ids. */
export async function forgetReaderLists(
  query: Query,
  { tenantId }: ReaderPlace,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return;
  await query
    .deleteFrom('reader_groups')
    .where('name', 'in', externalIds.map(listOf))
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Readers as a document holds them, whose external id is its own in the collection. */
export async function readersToStore(
  query: Query,
  place: ReaderPlace,
  externalId: string,
  readers: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (readers === null || readers.length <= MAX_READERS) {
    await forgetReaderLists(query, place, [externalId]);
    return readers;
  }
  const name = listOf(externalId);
  await changeReaderGroup(query, place, { name, title: '', members: readers });
  return [name];
}

/** The readers that stand in the place of a long list. */
export async function membersOfList(query: Query, readers: readonly string[]): Promise<readonly string[]> {
  const [only = ''] = readers;
  if (!only.startsWith(listOf(''))) return readers;
  const row = await query.selectFrom('reader_groups').select('members').where('name', '=', only).executeTakeFirst();
  return row?.members ?? [];
}
