import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { ParseError } from '../parse-error.ts';
import type { ParsePool } from '../sandbox/pool.ts';

export interface PictureDeps {
  readonly blobs: BlobStore;
  readonly pool: Pick<ParsePool, 'draw'>;
  /** Where files lie while they are drawn. */
  readonly folder: string;
}

/** Of one page. */
const TIMEOUT_MS = 20_000;

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
    /** A page as a PNG file. Errors: `not_found`, `unprocessable`, `unavailable`, or the signal's reason. */
    async page({ tenantId, key }: Source, { page, width, signal }: Wanted): Promise<Uint8Array> {
      const path = join(folder, `picture-${hexId()}`);
      try {
        if (!(await blobs.toFile(key, path))) throw new StudioError('not_found', 'The document has expired');
        return await pool.draw(tenantId, { path, picture: { page, width } }, { timeoutMs: TIMEOUT_MS, signal });
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        throw new StudioError('unprocessable', `${error.code}: ${error.message}`, { cause: error });
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}
