import { createHash } from 'node:crypto';
import type { ConnectorGroup } from '@ai-studio/contract/retrieval/connector.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Connector, SourceItem, SourceReader } from '../ports/connector.ts';
import { changeReaderGroup, forgetReaderGroups, type RetrievalDeps } from '../retrieval/index.ts';

// Who may read documents at their source, in the names by which lists of readers know people here.

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

/** Names of those who may read a document; null: everybody who sees the collection. Where its source does not tell, nobody is named. */
export const readersOf = (connectorId: string, { readers }: Pick<SourceItem, 'readers'>): readonly string[] | null =>
  readers === 'everybody' ? null : namesOf(connectorId, readers ?? []);

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
  readonly signal: AbortSignal;
}

/** What a run knows of the groups that documents name. */
interface RunGroups {
  /** Has the members of groups known that were not met before. Resolves with the names of those of whom nobody tells who is in them. */
  meet(readers: SourceItem['readers']): Promise<readonly string[]>;
  /** Forgets the groups that were not met. */
  forgetOthers(): Promise<void>;
}

/** Reads who is in groups, each once a run. Failures of the source are those of the run, but that it does not let them be read. */
export function createRunGroups({ db }: Pick<RetrievalDeps, 'db'>, options: GroupsOf): RunGroups {
  const { tenantId, collectionId, connectorId, source, given, signal } = options;
  const place = { tenantId, collectionId };
  const met = new Set<string>();

  async function membersOf({ id, name }: Extract<SourceReader, { kind: 'group' }>): Promise<readonly string[] | null> {
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

  return {
    async meet(readers) {
      const unknown: string[] = [];
      for (const reader of Array.isArray(readers) ? (readers as readonly SourceReader[]) : []) {
        const name = nameOf(connectorId, reader);
        if (reader.kind !== 'group' || name === null || met.has(name)) continue;
        met.add(name);
        const members = await membersOf(reader);
        const title = (reader.name || reader.id).slice(0, MAX_GROUP_ID);
        if (members === null) unknown.push(title);
        await changeReaderGroup(db.query, place, { name, title, members });
      }
      return unknown;
    },
    forgetOthers: () => forgetReaderGroups(db.query, place, groupsOf(connectorId), met),
  };
}
