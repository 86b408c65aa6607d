import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the data folder where there is none: for the user of the service alone. One that is there keeps its mode, which is the
 * operator's. Returns it and the folders above it that were made for it.
 */
export function makeDataFolder(dataDir: string): readonly string[] {
  const folders = [resolve(dataDir)];
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (let folder = resolve(dataDir); first !== undefined && folder !== first && folder !== dirname(folder);) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}
