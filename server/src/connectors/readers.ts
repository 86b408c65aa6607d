import { createHash } from 'node:crypto';
import type { ConnectorGroup } from '@ai-studio/contract/retrieval/connector.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Connector, SourceItem, SourceReader } from '../ports/connector.ts';
import { changeReaderGroup, forgetReaderGroups, type RetrievalDeps } from '../retrieval/index.ts';

// Who may read documents at their source, in the names by which lists of readers know people here.

type Group = Extract<SourceReader, { kind: 'group' }>;

/** What groups of a connector begin with: those of two sources are two, whatever they are called. */
const groupsOf = (connectorId: string): string => `group:${connectorId}/`;
/** Longest id of a group in its source. */
const MAX_GROUP_ID = 300;

/** A name that nobody has, for what can't be one. */
function nameOf(connectorId: string, reader: SourceReader): string | null {
  if (reader.kind === 'group')
    return reader.id === '' || reader.id.length > MAX_GROUP_ID ? null : groupsOf(connectorId) + reader.id;
  const text = (reader.kind === 'person' ? reader.email : reader.domain).trim().normalize('NFC').toLowerCase();
  if (text === '' || text.length > 320 || text.includes('\0') || (reader.kind === 'person') !== text.includes('@'))
    return null;
  return `${reader.kind === 'person' ? 'user' : 'domain'}:${text}`;
}

const namesOf = (connectorId: string, readers: readonly SourceReader[]): string[] =>
  [...new Set(readers.flatMap((reader) => nameOf(connectorId, reader) ?? []))].toSorted();

/** Names that stand on each of several lists; a list that has the domain of an address has the address, too. */
function onAll(lists: readonly ReadonlySet<string>[]): string[] {
  const isOn = (list: ReadonlySet<string>, name: string) =>
    list.has(name) || (name.startsWith('user:') && list.has(`domain:${name.slice(name.lastIndexOf('@') + 1)}`));
  const names = new Set(lists.flatMap((list) => [...list]));
  return [...names].filter((name) => lists.every((list) => isOn(list, name))).toSorted();
}

/** By which it is known that readers are others; null for none. */
export const readersVersion = (readers: readonly string[] | null): string | null =>
  readers === null ? null : createHash('sha256').update(JSON.stringify(readers)).digest('base64url');

/** Forgets who is in the groups of a connector, and the long lists of its documents. */
export async function forgetGroups(
  query: Parameters<typeof forgetReaderGroups>[0],
  place: Parameters<typeof forgetReaderGroups>[1],
  connectorId: string,
): Promise<void> {
  for (const beginning of [groupsOf(connectorId), `list:${connectorId}/`])
    await forgetReaderGroups(query, place, beginning, new Set());
}

interface GroupsOf {
  readonly tenantId: TenantId;
  readonly collectionId: string;
  readonly connectorId: string;
  readonly source: Connector;
  /** Who is in groups that the source does not tell of, as whoever looks after the connector says. */
  readonly given: readonly ConnectorGroup[];
  /** Whether nothing is written. */
  readonly dry: boolean;
  readonly signal: AbortSignal;
}

/** Names of those who may read a document, and groups of whom it turned out that nobody tells who is in them. */
interface NamedReaders {
  /** Null: everybody who sees the collection. Where the source does not tell, nobody is named. */
  readonly names: readonly string[] | null;
  readonly unknown: readonly string[];
}

/** What a run knows of the groups that documents name. */
interface RunGroups {
  /** Names who may read a document. Has the members of groups known that were not met before. */
  named(readers: SourceItem['readers']): Promise<NamedReaders>;
  /** Forgets the groups that were not met. */
  forgetOthers(): Promise<void>;
}

/** Reads who is in groups, each once a run. Failures of the source are those of the run, but that it does not let them be read. */
export function createRunGroups({ db }: Pick<RetrievalDeps, 'db'>, options: GroupsOf): RunGroups {
  const { tenantId, collectionId, connectorId, source, given, dry, signal } = options;
  const place = { tenantId, collectionId };
  /** Groups that documents name, which are kept. */
  const met = new Set<string>();
  const asked = new Map<string, readonly string[] | null>();

  async function readMembers({ id, name }: Group): Promise<readonly string[] | null> {
    const said = given.find((one) => [name, id].includes(one.name) || one.name.toLowerCase() === id);
    if (said !== undefined)
      return namesOf(
        connectorId,
        said.members.map((email) => ({ kind: 'person', email })),
      );
    try {
      const members = (await source.members?.(id, signal)) ?? null;
      return members === null ? null : namesOf(connectorId, members);
    } catch (error) {
      // The account may read documents, but not groups.
      if (error instanceof StudioError && (error.code === 'forbidden' || error.code === 'not_found')) return null;
      throw error;
    }
  }

  const titleOf = ({ id, name }: Group): string => (name || id).slice(0, MAX_GROUP_ID);

  /** Who is in a group; adds it to `unknown` where that is not told, the first time. */
  async function membersOf(group: Group, name: string, unknown: string[]): Promise<readonly string[] | null> {
    const known = asked.get(name);
    if (known !== undefined) return known;
    const members = await readMembers(group);
    if (members === null) unknown.push(titleOf(group));
    asked.set(name, members);
    return members;
  }

  async function keep(group: Group, unknown: string[]): Promise<void> {
    const name = nameOf(connectorId, group);
    if (dry || name === null || met.has(name)) return;
    met.add(name);
    const members = await membersOf(group, name, unknown);
    await changeReaderGroup(db.query, place, { name, title: titleOf(group), members });
  }

  /** The people of a list, with those of its groups. */
  async function peopleOf(list: readonly SourceReader[], unknown: string[]): Promise<ReadonlySet<string>> {
    const people = new Set<string>();
    for (const reader of list) {
      const name = nameOf(connectorId, reader);
      if (name === null) continue;
      const names = reader.kind === 'group' ? await membersOf(reader, name, unknown) : [name];
      for (const one of names ?? []) people.add(one);
    }
    return people;
  }

  return {
    async named(readers) {
      if (readers === 'everybody') return { names: null, unknown: [] };
      const unknown: string[] = [];
      if (readers != null && 'allOf' in readers) {
        // Groups have no names together: their people are named, as they are now.
        const lists: ReadonlySet<string>[] = [];
        for (const list of readers.allOf) lists.push(await peopleOf(list, unknown));
        return { names: onAll(lists), unknown };
      }
      for (const reader of readers ?? []) if (reader.kind === 'group') await keep(reader, unknown);
      return { names: namesOf(connectorId, readers ?? []), unknown };
    },
    forgetOthers: () => forgetReaderGroups(db.query, place, groupsOf(connectorId), met),
  };
}
