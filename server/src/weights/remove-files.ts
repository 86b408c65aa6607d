import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { partNames } from './names.ts';
import { notesFolder, removeOrigin } from './origin.ts';

/** Removes the files of a model and the notes beside them, and what is left of downloads of it. */
export async function removeFiles(folder: string, name: string): Promise<void> {
  const hidden = notesFolder(folder);
  const notes = await readdir(hidden).catch((): string[] => []);
  for (const file of partNames(name) ?? [name]) {
    await rm(join(folder, file), { force: true });
    await removeOrigin(folder, file);
    for (const note of notes)
      if (note.startsWith(`${file}.`) && !note.startsWith(`${file}.lock`))
        await rm(join(hidden, note), { force: true });
  }
}

/** What is half there, and nobody writes to any more. */
const LEFTOVER = /\.(?:import|new)$/;
const LEFTOVER_MS = 24 * 60 * 60_000;

/** Removes what processes that were killed left half written: copies of imports, and notes. After a day; `now` in milliseconds since 1970. */
export async function removeLeftovers(folder: string, now = Date.now()): Promise<void> {
  const hidden = notesFolder(folder);
  for (const name of await readdir(hidden).catch((): string[] => [])) {
    if (!LEFTOVER.test(name)) continue;
    const path = join(hidden, name);
    const found = await stat(path).catch(() => null);
    // What was moved here may be old itself.
    if (found && now - found.ctimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}
