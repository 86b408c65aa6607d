import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { partNames } from './names.ts';
import { notesFolder, removeOrigin } from './origin.ts';

/** Removes the files of a model, their notes, and parts of its downloads. */
export async function removeFiles(folder: string, name: string): Promise<void> {
  const notesPath = notesFolder(folder);
  const notes = await readdir(notesPath).catch((): string[] => []);
  for (const file of partNames(name) ?? [name]) {
    await rm(join(folder, file), { force: true });
    await removeOrigin(folder, file);
    for (const note of notes)
      if (note.startsWith(`${file}.`) && !note.startsWith(`${file}.lock`))
        await rm(join(notesPath, note), { force: true });
  }
}

/** Partial files of imports and notes. */
const LEFTOVER = /\.(?:import|new)$/;
const LEFTOVER_MS = 24 * 60 * 60_000;

/** Removes partial files of killed processes after a day. `now`: milliseconds since 1970. */
export async function removeLeftovers(folder: string, now = Date.now()): Promise<void> {
  const notesPath = notesFolder(folder);
  for (const name of await readdir(notesPath).catch((): string[] => [])) {
    if (!LEFTOVER.test(name)) continue;
    const path = join(notesPath, name);
    const stats = await stat(path).catch(() => null);
    // Uses ctime, as moved files keep an old mtime.
    if (stats && now - stats.ctimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}
