import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredSlice } from './usage-store.ts';

/** Keeps rows on disk while the database is unreachable. Processes may share the folder: rows have unique keys, so storing one twice does no harm. */
export interface Spill {
  write(rows: readonly StoredSlice[]): Promise<void>;
  /** Passes the rows of every file to `store`, and removes the file on success. Stops at the first failure. */
  readBack(store: (rows: readonly StoredSlice[]) => Promise<void>): Promise<void>;
}

const NAME = /^usage-.*\.jsonl$/;

export function createSpill(folder: string, writer: string): Spill {
  let files = 0;
  return {
    async write(rows) {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `usage-${writer}-${files++}.jsonl`);
      const file = await open(`${path}.part`, 'w', 0o600);
      try {
        await file.writeFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.part`, path);
    },
    async readBack(store) {
      for (const name of await listFiles(folder)) {
        const path = join(folder, name);
        const text = await readFile(path, 'utf8').catch(ignoreMissing);
        // Another process has read it.
        if (text === undefined) continue;
        const rows = parseRows(text);
        if (rows === null) {
          // Kept for inspection; it must not block later files.
          await rename(path, `${path}.unreadable`).catch(ignoreMissing);
          continue;
        }
        await store(rows);
        await unlink(path).catch(ignoreMissing);
      }
    },
  };
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing);
  return (names ?? []).filter((name) => NAME.test(name)).sort();
}

function parseRows(text: string): StoredSlice[] | null {
  try {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as StoredSlice);
  } catch {
    return null;
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
