import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { checkedKey } from '../blob-key.ts';
import { readOpened } from '../read-opened.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const unwritable = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO']);

/** A key as a path below the folder. */
const pathOf = (folder: string, key: string): string => join(folder, ...checkedKey(key).split('/'));

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Age of an abandoned upload: longer than any upload takes. */
const STALE_UPLOAD_MS = 24 * 3_600_000;

/** Removes partial uploads of killed processes. Ignores failures; the next start retries. */
async function removeStaleUploads(incoming: string): Promise<void> {
  const names = await readdir(incoming).catch(() => []);
  for (const name of names) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - STALE_UPLOAD_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Blobs as files of a folder of this machine, or of one that all machines share. */
export function createFolderBlobStore(folder: string): BlobStore {
  const incoming = join(folder, '.incoming');
  const cleanup = removeStaleUploads(incoming);
  const store: BlobStore = {
    async put(key, content) {
      const path = pathOf(folder, key);
      const part = join(incoming, randomBytes(12).toString('hex'));
      try {
        await mkdir(incoming, { recursive: true, mode: 0o700 });
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }));
        const { size } = await stat(part);
        await rename(part, path);
        // The name itself is kept by its folder.
        await sync(dirname(path));
        return size;
      } catch (cause) {
        await rm(part, { force: true });
        const { code = '' } = cause as NodeJS.ErrnoException;
        if (!unwritable.has(code)) throw cause;
        if (isDiskFull(cause)) throw diskFull(cause);
        throw new StudioError('unavailable', 'The file store cannot be written at the moment', { cause });
      }
    },
    putFile: (key, path) => readOpened(path, (content) => store.put(key, content)),
    async get(key) {
      const path = pathOf(folder, key);
      const file = await open(path, 'r').catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return file === null ? null : createReadStream('', { fd: file });
    },
    async toFile(key, path) {
      try {
        await copyFile(pathOf(folder, key), path, constants.COPYFILE_FICLONE);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    delete: (key) => rm(pathOf(folder, key), { force: true }),
    close: () => cleanup,
  };
  return store;
}
