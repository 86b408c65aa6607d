import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../kernel/actor.ts';
import { type ErrorCode, StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Connector, SourceItem } from '../ports/connector.ts';
import { sourceFailure } from '../ports/source-failure.ts';
import { uploadDocument } from '../retrieval/index.ts';
import type { AwayWatch } from './away.ts';
import type { ConnectorDeps } from './deps.ts';
import { readersVersion } from './readers.ts';

/** A document with the names of its readers. */
type Taken = Omit<SourceItem, 'readers'> & { readonly readers: readonly string[] | null };

interface Taking {
  readonly connectorId: string;
  readonly collectionId: string;
  readonly actor: Actor;
  readonly source: Connector;
  readonly dry: boolean;
  readonly signal: AbortSignal;
  readonly away: AwayWatch;
}

/** Id of a document of a source among those of its collection: of two connectors, each has its own. */
export const externalIdOf = (connectorId: string, sourceId: string): string => `${connectorId}/${sourceId}`;

const ofContent: readonly ErrorCode[] = ['too_large', 'unsupported_media_type', 'unprocessable', 'invalid_request'];
/** Failures that are of one document; with others nothing further can be done. A collection that is gone is not found either. */
const ofUpload: ReadonlySet<ErrorCode> = new Set(ofContent);
const ofFetch: ReadonlySet<ErrorCode> = new Set([...ofContent, 'not_found', 'forbidden', 'unavailable']);

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

/** Takes documents of a source into a collection, one by one. What it gives resolves with why one can't be taken; null where it was. */
export function createTaker(
  { retrieval, folder, maxBytes }: ConnectorDeps,
  { connectorId, collectionId, actor, source, dry, signal, away }: Taking,
): (item: Taken) => Promise<StudioError | null> {
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

  /** Fetches a document and has it taken in. */
  async function bring(item: Taken): Promise<StudioError | null> {
    const path = join(folder, `connector-${hexId()}`);
    try {
      let bytes = 0;
      const refused = await problemOf(
        ofFetch,
        async () => void ({ bytes } = await source.fetch(item.id, { path, maxBytes, signal })),
      );
      away.note(refused);
      if (refused !== null) return refused;
      if (bytes === 0) return sourceFailure('file_empty');
      return await problemOf(ofUpload, () => upload(item, path, bytes));
    } finally {
      await rm(path, { force: true });
    }
  }

  return async (item) => {
    const { id, name, version, bytes, readers } = item;
    if (bytes !== null && bytes > maxBytes) return sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
    if (bytes === 0) return sourceFailure('file_empty');
    if (dry) return null;
    const problem = await bring(item);
    if (problem !== null) return problem;
    const row = { name, version, readers: readersVersion(readers) };
    await retrieval.db.query
      .insertInto('connector_items')
      .values({ connector_id: connectorId, source_id: id, ...row })
      .onConflict((on) => on.columns(['connector_id', 'source_id']).doUpdateSet(row))
      .execute();
    return null;
  };
}
