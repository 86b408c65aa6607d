import { readdir, rm } from 'node:fs/promises';
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
