import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formOf, makeCollection, sendForm } from '../support/retrieval.ts';
import { startService, temporaryFolder } from '../support/service.ts';

/** Reading and writing by others than the owner. */
const OPEN_TO_OTHERS = 0o066;

test('what a first start and an upload make is for the user of the service alone', async () => {
  const above = await temporaryFolder();
  const dataFolder = join(above, 'data');
  const service = await startService({ dataFolder, makesDatabase: true });
  try {
    const { collection_id: id } = await makeCollection(service);
    const sent = await sendForm(service, `collections/${id}/documents/upload`, formOf('a.md', '# 휴가\n\n15일이다.'));
    expect(sent.status).toBe(200);
    const all = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' });
    expect(all.some((path) => path.startsWith('blobs'))).toBe(true);
    const open = [dataFolder, ...all.map((path) => join(dataFolder, path))].filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found !== undefined && !found.isSymbolicLink() && (found.mode & OPEN_TO_OTHERS) !== 0;
    });
    expect(open.map((path) => path.slice(above.length))).toEqual([]);
  } finally {
    await service.close();
    rmSync(above, { recursive: true, force: true });
  }
});
