import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParseError, type PageDrawer } from '@ai-studio/documents';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { processEnded } from '../parse-failures.ts';

export interface PictureDeps {
  readonly blobs: BlobStore;
  readonly pool: PageDrawer;
  /** Where files lie while they are drawn. */
  readonly folder: string;
}

/** Of one page: processor time, and time on the clock, which is for what does not take the former. */
const WORK = { pageMs: 8_000, documentMs: 8_000 };
const TIMEOUT_MS = 60_000;

/** A page as browsers show it. */
export interface PagePicture {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Files beyond this are drawn anew, smaller. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Pictures that every browser shows, by their first bytes. */
const shown = [
  { type: 'image/png', begin: '\x89PNG\r\n' },
  { type: 'image/jpeg', begin: '\xFF\xD8\xFF' },
  { type: 'image/gif', begin: 'GIF8' },
] as const;

/** A file that is a picture already, with its colours; null for what must be drawn. */
async function asItIs(path: string): Promise<PagePicture | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) return null;
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.toString('latin1');
    const found = shown.find(({ begin }) => head.startsWith(begin));
    return found === undefined ? null : { type: found.type, bytes: await readFile(path) };
  } finally {
    await file.close();
  }
}

interface Source {
  readonly tenantId: string;
  /** Its file in the blob store. */
  readonly key: string;
}

interface Wanted {
  readonly page: number;
  /** Pixels. */
  readonly width: number;
  readonly signal: AbortSignal;
}

/** Draws pages of documents, each in a process that may do nothing else. */
export function createPictures({ blobs, pool, folder }: PictureDeps) {
  return {
    /** A page as a picture. Errors: `not_found`, `unprocessable`, `unavailable`, or the signal's reason. */
    async page({ tenantId, key }: Source, { page, width, signal }: Wanted): Promise<PagePicture> {
      const path = join(folder, `picture-${hexId()}`);
      try {
        if (!(await blobs.toFile(key, path))) throw new StudioError('not_found', 'The document has expired');
        const own = page === 1 ? await asItIs(path) : null;
        if (own !== null) return own;
        const job = { path, picture: { page, width } };
        const how = { timeoutMs: TIMEOUT_MS, work: WORK, signal };
        return { type: 'image/png', bytes: (await pool.draw(tenantId, job, how)).png };
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        if (error.code === 'PROCESS_ENDED') throw processEnded(error);
        throw new StudioError('unprocessable', `${error.code}: ${error.message}`, { cause: error });
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}
