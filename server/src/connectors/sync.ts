import type { ConnectorGroup, ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import { MAX_TOLD } from '@ai-studio/contract/retrieval/connector.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../kernel/actor.ts';
import { type ErrorCode, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Connector, SourceItem } from '../ports/connector.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { changeReaders, deleteDocuments, forgetReaderLists, uploadDocument } from '../retrieval/index.ts';
import type { ConnectorDeps } from './deps.ts';
import { createRunGroups, readersVersion } from './readers.ts';
import { toldOf } from './told.ts';

// Brings a collection in step with a source. Each step can be done again: what ends in between is found and done by the next run.

/** What a run has done so far, or would do. */
export interface SyncCounts {
  seen: number;
  added: number;
  changed: number;
  removed: number;
  failed: number;
  held_back: number;
  /** Documents whose readers alone were others. */
  readers_changed: number;
  /** Documents of which the source does not tell who may read them. */
  readers_unknown: number;
  readonly changes: ConnectorRun['changes'];
  readonly problems: ConnectorRun['problems'];
}

/** Of a run that begins. */
export const noCounts = (): SyncCounts => ({
  seen: 0,
  added: 0,
  changed: 0,
  removed: 0,
  failed: 0,
  held_back: 0,
  readers_changed: 0,
  readers_unknown: 0,
  changes: [],
  problems: [],
});

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

/** Id of a document of a source among those of its collection: of two connectors, each has its own. */
export const externalIdOf = (connectorId: string, sourceId: string): string => `${connectorId}/${sourceId}`;

const ofContent: readonly ErrorCode[] = ['too_large', 'unsupported_media_type', 'unprocessable', 'invalid_request'];
/** Failures that are of one document; with others nothing further can be done. A collection that is gone is not found either. */
const ofUpload: ReadonlySet<ErrorCode> = new Set(ofContent);
const ofFetch: ReadonlySet<ErrorCode> = new Set([...ofContent, 'not_found', 'forbidden']);

/** A document with the names of its readers. */
type Taken = Omit<SourceItem, 'readers'> & { readonly readers: readonly string[] | null };

/** Why a document can't be taken; throws what is no fault of it. */
async function problemOf(codes: ReadonlySet<ErrorCode>, work: () => Promise<void>): Promise<StudioError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StudioError && codes.has(error.code)) return error;
    throw error;
  }
}

/**
 * Makes one run. Resolves with what was done and the cursor of the next one: the former where something failed, so that it is met again.
 * Rejects where the source or the service is away, or the signal says so; what was done by then stays.
 */
export async function synchronize(
  deps: ConnectorDeps,
  run: Sync,
): Promise<{ readonly counts: SyncCounts; readonly cursor: string | null }> {
  const { retrieval, folder, maxBytes } = deps;
  const { db } = retrieval;
  const { connectorId, collectionId, actor, source, dry, keepsReaders, signal } = run;
  const { tenantId } = actor;
  const counts = noCounts();
  const known = new Map(
    (
      await db.query
        .selectFrom('connector_items')
        .select(['source_id', 'name', 'version', 'readers'])
        .where('connector_id', '=', connectorId)
        .execute()
    ).map(({ source_id: id, name, version, readers }) => [id, { name, version, readers }]),
  );
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

  const told = (name: string) => name.slice(0, 500);
  const warn = (name: string, code: string | null, problem: StudioError) => {
    if (counts.problems.length < MAX_TOLD) counts.problems.push({ name: told(name), code, ...toldOf(problem) });
  };
  const tell = (name: string, code: string | null, problem: StudioError) => {
    counts.failed++;
    warn(name, code, problem);
  };
  const note = (name: string, change: ConnectorRun['changes'][number]['change']) => {
    if (counts.changes.length < MAX_TOLD) counts.changes.push({ name: told(name), change });
  };

  /** Has a document taken in; waits while too many do. */
  async function upload({ id, name, metadata, readers }: Taken, path: string, bytes: number): Promise<void> {
    const fields = { external_id: externalIdOf(connectorId, id), metadata: JSON.stringify(metadata) };
    for (;;) {
      try {
        await uploadDocument(retrieval, actor, collectionId, { path, name, bytes, fields, readers });
        return;
      } catch (error) {
        if (!(error instanceof StudioError) || error.code !== 'rate_limited') throw error;
        await delay((error.retryAfterSeconds ?? 1) * 1_000, undefined, { signal });
      }
    }
  }

  /** Takes a document. Resolves with why it can't be taken; null where it was. */
  async function take(item: Taken): Promise<StudioError | null> {
    const { id, name, version, bytes: size } = item;
    if (size !== null && size > maxBytes) return sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
    if (dry) return null;
    const path = join(folder, `connector-${hexId()}`);
    try {
      let bytes = 0;
      const problem =
        (await problemOf(ofFetch, async () => void ({ bytes } = await source.fetch(id, { path, maxBytes, signal })))) ??
        (await problemOf(ofUpload, () => upload(item, path, bytes)));
      if (problem !== null) return problem;
    } finally {
      await rm(path, { force: true });
    }
    const row = { name, version, readers: readersVersion(item.readers) };
    await db.query
      .insertInto('connector_items')
      .values({ connector_id: connectorId, source_id: id, ...row })
      .onConflict((on) => on.columns(['connector_id', 'source_id']).doUpdateSet(row))
      .execute();
    return null;
  }

  /** Who may read a document, by the names of lists of readers; null: everybody who sees the collection. */
  async function readersFor(item: SourceItem): Promise<readonly string[] | null> {
    if (!keepsReaders) return null;
    if (item.readers == null) {
      counts.readers_unknown++;
      warn(item.name, 'readers_unknown', sourceFailure('readers_unknown'));
    }
    const { names, unknown } = await groups.named(item.readers);
    for (const name of unknown) warn(name, 'group_unknown', sourceFailure('group_unknown'));
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
      return note(item.name, 'readers');
    }
    const problem = await take({ ...item, readers });
    if (problem !== null) return tell(item.name, problem.code, problem);
    known.set(item.id, { name: item.name, version: item.version, readers: version });
    const change = before === undefined ? 'added' : 'changed';
    counts[change]++;
    note(item.name, change);
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
        note(nameOf(id), 'removed');
        known.delete(id);
      }
      counts.removed += some.length;
      await run.onProgress(counts);
    }
  }

  // What changed in folders and groups is not told of by what lies in them: who may read is asked for of all.
  let cursor = keepsReaders ? null : run.cursor;
  let isWhole = false;
  let isEnded = false;
  for await (const change of source.list({ cursor, maxItems: run.maxItems, signal })) {
    if (change.type === 'present') await onPresent(change.item);
    else if (change.type === 'removed') {
      if (known.has(change.id)) gone.add(change.id);
    } else if (change.type === 'unreadable') {
      if (change.id !== null) seen.add(change.id);
      tell(change.name, null, change.problem);
    } else {
      isEnded = true;
      ({ isWhole } = change);
      if (isWhole) for (const id of known.keys()) if (!seen.has(id)) gone.add(id);
      ({ cursor } = change);
    }
    await run.onProgress(counts);
  }
  if (!isEnded) throw sourceFailure('listing_incomplete');
  if (!run.removesAll && gone.size > Math.max(FREELY_REMOVED, wasKnown * REMOVED_SHARE)) {
    counts.held_back = gone.size;
    for (const id of gone) note(nameOf(id), 'held_back');
  } else await remove([...gone]);
  if (isWhole && !dry) await groups.forgetOthers();
  return { counts, cursor: counts.failed > 0 || counts.held_back > 0 ? run.cursor : cursor };
}
