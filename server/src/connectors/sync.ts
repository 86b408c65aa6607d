import type { ConnectorGroup } from '@ai-studio/contract/retrieval/connector.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Connector, SourceChange, SourceItem } from '../ports/connector.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { changeReaders, deleteDocuments, forgetReaderLists } from '../retrieval/index.ts';
import { createAwayWatch } from './away.ts';
import type { ConnectorDeps } from './deps.ts';
import { createRunGroups, readersVersion } from './readers.ts';
import { createReport, noCounts, type SyncCounts } from './sync-counts.ts';
import { createTaker, externalIdOf } from './take.ts';

// Brings a collection in step with a source. Each step can be done again: what ends in between is found and done by the next run.

export interface Sync {
  readonly connectorId: string;
  readonly collectionId: string;
  readonly actor: Actor;
  readonly source: Connector;
  readonly cursor: string | null;
  readonly maxItems: number;
  readonly dry: boolean;
  /** Removes what is gone, however much it is. */
  readonly removesAll: boolean;
  /** Whether documents are for those whom the source lets read them. */
  readonly keepsReaders: boolean;
  /** Who is in groups of which the source tells nothing. */
  readonly groups: readonly ConnectorGroup[];
  readonly signal: AbortSignal;
  /** Called after each document, for the progress. Throws where the run has ended. */
  readonly onProgress: (counts: SyncCounts) => Promise<void>;
}

/** Documents that are removed by one transaction. */
const REMOVED_AT_ONCE = 100;
/** Documents that a run removes unasked, however large their share is. */
const FREELY_REMOVED = 20;
/** Share of what is known that a run removes unasked: more looks like a source that was moved or emptied by mistake. */
const REMOVED_SHARE = 0.5;

/** What is known of a document that was taken. */
interface Known {
  readonly name: string;
  readonly version: string;
  readonly readers: string | null;
}

async function knownOf({ retrieval: { db } }: ConnectorDeps, connectorId: string): Promise<Map<string, Known>> {
  const rows = await db.query
    .selectFrom('connector_items')
    .select(['source_id', 'name', 'version', 'readers'])
    .where('connector_id', '=', connectorId)
    .execute();
  return new Map(rows.map(({ source_id: id, name, version, readers }) => [id, { name, version, readers }]));
}

/**
 * Makes one run. Resolves with what was done and the cursor of the next one: the former where something failed that the next listing would
 * not name. Rejects where the source or the service is away, or the signal says so; what was done by then stays.
 */
export async function synchronize(
  deps: ConnectorDeps,
  run: Sync,
): Promise<{ readonly counts: SyncCounts; readonly cursor: string | null }> {
  const { retrieval } = deps;
  const { db } = retrieval;
  const { connectorId, collectionId, actor, source, dry, keepsReaders, signal } = run;
  const { tenantId } = actor;
  const counts = noCounts();
  const report = createReport(counts);
  const away = createAwayWatch(source);
  const take = createTaker(deps, { connectorId, collectionId, actor, source, dry, signal, away });
  const known = await knownOf(deps, connectorId);
  const wasKnown = known.size;
  const seen = new Set<string>();
  const gone = new Set<string>();
  const groups = createRunGroups(retrieval, {
    tenantId,
    collectionId,
    connectorId,
    source,
    given: run.groups,
    dry,
    signal,
  });

  /** Who may read a document, by the names of lists of readers; null: everybody who sees the collection. */
  async function readersFor(item: SourceItem): Promise<readonly string[] | null> {
    if (!keepsReaders) return null;
    if (item.readers == null) {
      counts.readers_unknown++;
      report.warn(item.name, 'readers_unknown', sourceFailure('readers_unknown'));
    }
    const { names, unknown } = await groups.named(item.readers);
    for (const name of unknown) report.warn(name, 'group_unknown', sourceFailure('group_unknown'));
    return names;
  }

  /** Has other people read a document that is there. */
  async function noteReaders(id: string, readers: readonly string[] | null): Promise<void> {
    await changeReaders(retrieval, { tenantId, collectionId, externalId: externalIdOf(connectorId, id), readers });
    await db.query
      .updateTable('connector_items')
      .set({ readers: readersVersion(readers) })
      .where('connector_id', '=', connectorId)
      .where('source_id', '=', id)
      .execute();
  }

  async function onPresent(item: SourceItem): Promise<void> {
    counts.seen++;
    seen.add(item.id);
    gone.delete(item.id);
    const before = known.get(item.id);
    const readers = await readersFor(item);
    const version = readersVersion(readers);
    const isOther = before !== undefined && before.readers !== version;
    // Before what it says is taken anew, which takes a while: whoever may not read it any more does not until then either.
    if (isOther && !dry) await noteReaders(item.id, readers);
    if (before?.version === item.version) {
      if (!isOther) return;
      known.set(item.id, { ...before, readers: version });
      counts.readers_changed++;
      return report.note(item.name, 'readers');
    }
    const problem = await take({ ...item, readers });
    if (problem !== null) {
      // What it said before, it says no more.
      if (problem.reason === 'file_empty' && before !== undefined) gone.add(item.id);
      return report.fail(item.name, problem.code, problem);
    }
    known.set(item.id, { name: item.name, version: item.version, readers: version });
    const change = before === undefined ? 'added' : 'changed';
    counts[change]++;
    report.note(item.name, change);
  }

  const nameOf = (id: string) => known.get(id)?.name ?? id;

  /** Removes documents that the source has no more; a person may have removed them before. */
  async function remove(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += REMOVED_AT_ONCE) {
      signal.throwIfAborted();
      const some = ids.slice(from, from + REMOVED_AT_ONCE);
      if (!dry) {
        const externalIds = some.map((id) => externalIdOf(connectorId, id));
        const documents = await db.query
          .selectFrom('documents')
          .select('id')
          .where('collection_id', '=', collectionId)
          .where('external_id', 'in', externalIds)
          .execute();
        const documentIds = documents.map(({ id }) => id);
        if (documentIds.length > 0)
          await deleteDocuments(retrieval, actor, { collectionId, documentIds, onDeleted: () => Promise.resolve() });
        await forgetReaderLists(db.query, { tenantId, collectionId }, externalIds);
        // After the documents: a process that ends in between finds them anew.
        await db.query
          .deleteFrom('connector_items')
          .where('connector_id', '=', connectorId)
          .where('source_id', 'in', some)
          .execute();
      }
      for (const id of some) {
        report.note(nameOf(id), 'removed');
        known.delete(id);
      }
      counts.removed += some.length;
      await run.onProgress(counts);
    }
  }

  /** Removes what is gone, unless it looks like a mistake. */
  async function removeGone(isWhole: boolean): Promise<void> {
    // A mount that is away is an empty folder, however few documents it held.
    const isEmptied = isWhole && seen.size === 0;
    const isMuch = gone.size > Math.max(FREELY_REMOVED, wasKnown * REMOVED_SHARE);
    if (run.removesAll || !(isEmptied || isMuch)) return remove([...gone]);
    counts.held_back = gone.size;
    for (const id of gone) report.note(nameOf(id), 'held_back');
  }

  const unmet = () => [...known.keys()].filter((id) => !seen.has(id) && !gone.has(id));

  // What changed in folders and groups is not told of by what lies in them: who may read is asked for of all.
  const begin = keepsReaders ? null : run.cursor;
  let end: Extract<SourceChange, { type: 'end' }> | null = null;
  for await (const change of source.list({ cursor: begin, maxItems: run.maxItems, signal })) {
    if (change.type === 'present') await onPresent(change.item);
    else if (change.type === 'removed') {
      if (known.has(change.id)) gone.add(change.id);
    } else if (change.type === 'unreadable') {
      if (change.id !== null) seen.add(change.id);
      report.fail(change.name, null, change.problem);
    } else end = change;
    await run.onProgress(counts);
  }
  if (end === null) throw sourceFailure('listing_incomplete');
  away.check(counts.seen);
  if (end.isWhole) for (const id of unmet()) gone.add(id);
  else if (end.cut !== undefined) {
    const documents = unmet().length;
    if (documents > 0) report.head(sourceFailure('removal_waits', { because: end.cut.message, values: { documents } }));
  }
  await removeGone(end.isWhole);
  if (end.isWhole && !dry) await groups.forgetOthers();
  const isMetAgain = source.namesAll === true || (counts.failed === 0 && counts.held_back === 0);
  return { counts, cursor: isMetAgain ? end.cursor : run.cursor };
}
