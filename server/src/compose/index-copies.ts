import { z } from 'zod';
import {
  dropAll,
  ownIndices,
  removeSnapshot,
  restoreSnapshot,
  takeSnapshot,
} from '../adapters/distributed/opensearch-index/snapshots.ts';
import { openDatabase } from '../adapters/postgres/index.ts';
import type { IndexCopier } from '../backup/index.ts';
import { type Config, objectStorageOf } from '../config/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { checkCollections, moveCollections } from './reindex.ts';
import { openSearchOptions } from './storage.ts';
import type { Store } from './store.ts';

// Copies of the search index in OpenSearch, which belong to copies of an installation: snapshots, where a repository for them is configured. The
// rows of a copy and its snapshot are of different moments, so what is brought back is compared with the rows.

/** What a copy knows of its snapshot. */
const Note = z.object({
  repository: z.string().regex(/^[\w.-]{1,100}$/),
  snapshot: z.string().regex(/^[\w.-]{1,200}$/),
  prefix: z.string(),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What makes the snapshot of a copy; null where none is configured. */
export function indexCopier(config: Config, log: Logger): IndexCopier | null {
  const options = openSearchOptions(config, log);
  const { snapshot_repository: repository } = config.search;
  if (options === null || repository === undefined) return null;
  const time = new Date().toISOString().replaceAll(/[^\d]/g, '').slice(0, 14);
  const place = { repository, snapshot: `${options.prefix}-backup-${time}-${hexId().slice(0, 8)}` };
  let taken = false;
  return {
    async take() {
      try {
        await takeSnapshot(options, place);
        taken = true;
        return { name: `${repository}/${place.snapshot}`, note: { ...place, prefix: options.prefix } };
      } catch (error) {
        return { reason: messageOf(error) };
      }
    },
    async discard() {
      if (taken)
        await removeSnapshot(options, place).catch((error: unknown) =>
          log.warn({ err: error, snapshot: place.snapshot }, 'snapshot of a copy that failed could not be removed'),
        );
    },
  };
}

/**
 * Throws StudioError `conflict` where OpenSearch holds indices of this prefix already, of which some may be another installation's, and
 * `unavailable` where it does not tell.
 */
export async function requireFreeIndex(config: Config, log: Logger): Promise<void> {
  const options = openSearchOptions(config, log);
  if (options === null) return;
  const there = await ownIndices(options).catch((error: unknown) => {
    throw new StudioError(
      'unavailable',
      `Whether OpenSearch holds a search index already is not known: ${messageOf(error)}`,
    );
  });
  if (there.length > 0)
    throw new StudioError(
      'conflict',
      `OpenSearch holds ${there.length} indices of the prefix ${options.prefix} already. Remove them if nobody uses them, or name another search.prefix.`,
    );
}

interface Given {
  readonly config: Config;
  readonly log: Logger;
  readonly onProgress: (message: string) => void;
}

/** Brings the search index back as the note of a copy says, and mends what the rows say otherwise. Resolves with why not; null where it is there. Never rejects. */
export async function bringIndexBack(
  { config, log, onProgress }: Given,
  { connection }: Store,
  given: unknown,
): Promise<string | null> {
  const { success, data: note } = Note.safeParse(given);
  if (!success) return 'the copy does not say where it is';
  try {
    const options = openSearchOptions(config, log);
    if (options === null) return 'it is for OpenSearch, and search.url names none';
    if (note.prefix !== options.prefix)
      return `it was made with the prefix ${note.prefix}, and search.prefix is ${options.prefix}`;
    const { indices, damaged } = await restoreSnapshot(options, note);
    if (damaged > 0) onProgress(`${damaged} indices of the snapshot are damaged: made anew`);
    if (indices === 0 && damaged > 0) return 'all of its indices are damaged';
    const database = await openDatabase({ connection, log, poolSize: 5 });
    try {
      await moveCollections({ config, database, log }, 'opensearch', onProgress);
      return null;
    } catch (error) {
      // A part of an index would be worse than none, which the service makes anew.
      await dropAll(options);
      throw error;
    } finally {
      await database.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Compares the search index that lies in object storage, beside the files of the copy, with the rows: it is of another moment. Resolves with
 * whether some of it is right now. Throws StudioError.
 */
export async function checkKeptIndex({ config, log, onProgress }: Given, { connection }: Store): Promise<boolean> {
  if (config.search.url !== undefined || objectStorageOf(config.storage) === null) return false;
  onProgress('Comparing the search index in the object storage with the rows');
  const database = await openDatabase({ connection, log, poolSize: 5 });
  try {
    return (await checkCollections({ config, database, log }, onProgress)) > 0;
  } finally {
    await database.close();
  }
}
