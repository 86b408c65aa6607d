import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates the data folder if it is missing, accessible only to the user of the service. An existing folder keeps its mode, which is the
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
