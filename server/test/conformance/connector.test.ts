import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderConnector } from '../../src/adapters/connectors/folder.ts';
import { createWebdavConnector } from '../../src/adapters/connectors/webdav.ts';
import { createGuardedRequest } from '../../src/net-guard/index.ts';
import { startWebdavServer } from '../fakes/webdav-server.ts';
import { describeConnector } from './connector.ts';

describeConnector(
  'folder',
  async () => {
    const base = await mkdtemp(join(tmpdir(), 'ai-studio-folder-'));
    const root = join(base, 'documents');
    await mkdir(root);
    let writes = 0;
    return {
      connector: createFolderConnector({ allowed: [base], path: root, endings: null }),
      async put(name, content) {
        await writeFile(join(root, name), content);
        // Clocks of file systems may stand still for some milliseconds.
        await utimes(join(root, name), 1_700_000_000, 1_700_000_000 + ++writes);
      },
      remove: (name) => rm(join(root, name)),
      takeAway: () => rename(root, `${root}-away`),
      close: () => rm(base, { recursive: true, force: true }),
    };
  },
  { tellsRemovals: true },
);

describeConnector(
  'webdav',
  async () => {
    const server = await startWebdavServer();
    return {
      connector: createWebdavConnector({
        url: server.url,
        credentials: null,
        endings: null,
        request: createGuardedRequest({ allow: ['127.0.0.1'] }),
      }),
      put: (name, content) => Promise.resolve(void server.files.set(name, content)),
      remove: (name) => Promise.resolve(void server.files.delete(name)),
      takeAway: server.close,
      close: server.close,
    };
  },
  { tellsRemovals: true },
);
