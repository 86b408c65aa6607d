import type { Query } from '../collections/rows.ts';

/** A document that a question expects, as it was when it was named. */
export interface NamedDocument {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
}

/** Documents of a collection by id, by external id and by name; of those with one name the newest. */
export interface DocumentDirectory {
  /** What a text names, best by id. */
  find(text: string): NamedDocument | null;
  /** The document that was named, or the one that took its place. */
  present(named: NamedDocument): NamedDocument | null;
}

/** The documents of a collection, for those that are named by texts. */
export async function openDirectory(query: Query, collectionId: string): Promise<DocumentDirectory> {
  const rows = await query
    .selectFrom('documents')
    .select(['id', 'external_id', 'name'])
    .where('collection_id', '=', collectionId)
    .where('state', '<>', 'arriving')
    .orderBy('number')
    .execute();
  const ids = new Map(rows.map((row) => [row.id, row]));
  const externals = new Map(rows.flatMap((row) => (row.external_id === null ? [] : [[row.external_id, row] as const])));
  const names = new Map(rows.map((row) => [row.name.normalize('NFC'), row]));
  const byName = (name: string) => names.get(name.normalize('NFC'));
  return {
    find: (text) => ids.get(text) ?? externals.get(text) ?? byName(text) ?? null,
    present: ({ id, external_id: external, name }) =>
      ids.get(id) ?? (external === null ? undefined : externals.get(external)) ?? byName(name) ?? null,
  };
}
