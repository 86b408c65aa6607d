import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import { silent } from '../support/postgres.ts';
import { searchIndexConformance } from './search-index.ts';

searchIndexConformance('LanceDB in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-index-'));
  return {
    open: () =>
      createLanceIndex({ storage: { uri: folder }, files: createFolderFiles(folder), cacheMb: 64, log: silent }),
    destroy: (table) => rm(join(folder, `${table}.lance`), { recursive: true }),
    async damage(table) {
      const data = join(folder, `${table}.lance`, 'data');
      for (const file of await readdir(data)) {
        const { size } = await stat(join(data, file));
        await truncate(join(data, file), Math.floor(size / 2));
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
});
