import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createConfluenceConnector } from '../../src/adapters/connectors/confluence.ts';
import { createCrawlConnector } from '../../src/adapters/connectors/crawl.ts';
import { createFeedConnector } from '../../src/adapters/connectors/feed.ts';
import { createFolderConnector } from '../../src/adapters/connectors/folder.ts';
import { createGitConnector } from '../../src/adapters/connectors/git.ts';
import { createGoogleDriveConnector } from '../../src/adapters/connectors/google-drive.ts';
import { createS3Connector } from '../../src/adapters/connectors/s3.ts';
import { createSharepointConnector } from '../../src/adapters/connectors/sharepoint.ts';
import { createSqlConnector } from '../../src/adapters/connectors/sql.ts';
import { mysql } from '../../src/adapters/connectors/sql-mysql.ts';
import { postgresql } from '../../src/adapters/connectors/sql-postgresql.ts';
import { createWebdavConnector } from '../../src/adapters/connectors/webdav.ts';
import { createS3Client } from '../../src/adapters/distributed/s3-storage.ts';
import { createGuardedRequest, createGuardedResolve } from '../../src/net-guard/index.ts';
import { startFakeConfluence } from '../fakes/confluence-server.ts';
import { startFakeDrive } from '../fakes/drive-server.ts';
import { startFakeGit } from '../fakes/git-server.ts';
import { startFakeGraph } from '../fakes/graph-server.ts';
import { startFakeMysql } from '../fakes/mysql-server.ts';
import { startFakeS3 } from '../fakes/s3-server.ts';
import { html, startWebSite } from '../fakes/web-site.ts';
import { startWebdavServer } from '../fakes/webdav-server.ts';
import { answerPapers } from '../support/mysql-papers.ts';
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts';
import { openPostgresDoor } from '../support/postgres-door.ts';
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

const request = createGuardedRequest({ allow: ['127.0.0.1'] });
const typeOf = (name: string) => (name.endsWith('.md') ? 'text/markdown' : 'text/plain; charset=utf-8');

for (const hasTags of [true, false])
  describeConnector(
    `site${hasTags ? '' : ' without entity tags'}`,
    async () => {
      const site = await startWebSite();
      site.hasTags = hasTags;
      const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
      /** A page of links, which asks not to be found itself. */
      const tell = () => {
        const files = [...site.pages.keys()].filter((path) => path.startsWith('/files/'));
        const links = files.map((path) => `<a href="${path}">${path}</a>`).join(' ');
        site.pages.set('/', html('목록', links, '<meta name="robots" content="noindex">'));
      };
      tell();
      return {
        connector: createCrawlConnector({
          url: `${site.url}/`,
          depth: 2,
          within: null,
          usesSitemap: true,
          endings: null,
          request,
          pauseMs: 0,
        }),
        put(name, content) {
          site.pages.set(pathOf(name), { body: content, type: typeOf(name) });
          return Promise.resolve(tell());
        },
        remove(name) {
          site.pages.delete(pathOf(name));
          return Promise.resolve(tell());
        },
        takeAway: site.close,
        close: site.close,
      };
    },
    { tellsRemovals: true },
  );

describeConnector(
  'feed',
  async () => {
    const site = await startWebSite();
    const files = new Map<string, number>();
    const tell = () => {
      const entries = [...files].map(
        ([name, number]) =>
          `<item><guid>${encodeURIComponent(name)}</guid><link>/${encodeURIComponent(name)}</link><pubDate>${number}</pubDate></item>`,
      );
      site.pages.set('/feed', {
        body: `<rss><channel>${entries.join('')}</channel></rss>`,
        type: 'application/rss+xml',
      });
    };
    tell();
    return {
      connector: createFeedConnector({ url: `${site.url}/feed`, takesPages: true, request }),
      put(name, content) {
        site.pages.set(`/${encodeURIComponent(name)}`, { body: content, type: typeOf(name) });
        files.set(name, (files.get(name) ?? 0) + 1);
        return Promise.resolve(tell());
      },
      remove(name) {
        site.pages.delete(`/${encodeURIComponent(name)}`);
        files.delete(name);
        return Promise.resolve(tell());
      },
      takeAway: site.close,
      close: site.close,
    };
  },
  { tellsRemovals: false },
);

describeConnector(
  's3',
  async () => {
    const server = await startFakeS3();
    const { url: endpoint, bucket, accessKeyId, secretAccessKey } = server;
    const place = { endpoint, bucket, region: 'auto', prefix: 'docs/' };
    const client = await createS3Client({ ...place, accessKeyId, secretAccessKey })();
    const credentials = { access_key_id: accessKeyId, secret_access_key: secretAccessKey };
    return {
      connector: createS3Connector({ ...place, credentials, endings: null, request, pageSize: 2 }),
      put: async (name, content) => void (await client.putObject(`docs/${name}`, content)),
      remove: async (name) => void (await client.deleteObject(`docs/${name}`)),
      takeAway: server.close,
      close: server.close,
    };
  },
  { tellsRemovals: true },
);

/** One for all tests, as to make one takes longer than they do. */
let fresh: FreshDatabase | null = null;
afterAll(() => fresh?.close());

describeConnector(
  'postgresql',
  async () => {
    fresh ??= await freshDatabase();
    const door = await openPostgresDoor(fresh);
    await door.query('DROP TABLE IF EXISTS papers');
    await door.query('CREATE TABLE papers (name text PRIMARY KEY, content text)');
    const connector = createSqlConnector(postgresql, {
      ...door.source,
      query: 'SELECT name AS id, name AS title, content FROM papers',
      resolve: createGuardedResolve({ allow: ['127.0.0.1'] }),
      pageSize: 2,
    });
    return {
      connector,
      put: async (name, content) =>
        void (await door.query(
          'INSERT INTO papers VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET content = excluded.content',
          [name, content],
        )),
      remove: async (name) => void (await door.query('DELETE FROM papers WHERE name = $1', [name])),
      takeAway: door.shut,
      async close() {
        await connector.close();
        await door.close();
      },
    };
  },
  { tellsRemovals: true },
);

describeConnector(
  'mysql',
  async () => {
    const papers = new Map<string, string>();
    const server = await startFakeMysql('reader', answerPapers(papers));
    const connector = createSqlConnector(mysql, {
      host: '127.0.0.1',
      port: server.port,
      database: 'd',
      tls: false,
      credentials: { username: 'reader', password: 'p' },
      query: 'SELECT name AS id, name AS title, content FROM papers',
      resolve: createGuardedResolve({ allow: ['127.0.0.1'] }),
      pageSize: 2,
    });
    return {
      connector,
      put: (name, content) => Promise.resolve(void papers.set(name, content)),
      remove: (name) => Promise.resolve(void papers.delete(name)),
      takeAway: server.close,
      async close() {
        await connector.close();
        await server.close();
      },
    };
  },
  { tellsRemovals: true },
);

describeConnector(
  'git',
  async () => {
    const server = await startFakeGit();
    return {
      connector: createGitConnector({
        url: server.url,
        credentials: null,
        branch: null,
        folder: '',
        pattern: null,
        endings: null,
        request,
      }),
      put(name, content) {
        server.files.set(name, content);
        return Promise.resolve(server.commit());
      },
      remove(name) {
        server.files.delete(name);
        return Promise.resolve(server.commit());
      },
      takeAway: server.close,
      close: server.close,
    };
  },
  { tellsRemovals: true },
);

const clouds = { request, wait: () => Promise.resolve() };

for (const tellsReaders of [false, true])
  describeConnector(
    tellsReaders ? 'confluence with readers' : 'confluence',
    async () => {
      const server = await startFakeConfluence('Bearer t');
      const page = { title: 'page', space: 'A', version: 1, body: '' };
      if (tellsReaders)
        server.contents.set('1', { ...page, id: '1', type: 'page', readers: { users: [{ email: 'a@x.kr' }] } });
      let ids = 0;
      return {
        connector: createConfluenceConnector({
          ...clouds,
          url: server.url,
          spaces: [],
          cql: null,
          takesFiles: true,
          credentials: { token: 't' },
          endings: tellsReaders ? new Set(['txt', 'md']) : null,
          tellsReaders,
        }),
        put(title, body) {
          const before = [...server.contents.values()].find((one) => one.title === title);
          const id = before?.id ?? `att${++ids}`;
          const version = (before?.version ?? 0) + 1;
          server.contents.set(id, { id, type: 'attachment', title, space: 'A', version, body, parent: '1' });
          return Promise.resolve();
        },
        remove(title) {
          for (const one of server.contents.values()) if (one.title === title) server.contents.delete(one.id);
          return Promise.resolve();
        },
        takeAway: server.close,
        close: server.close,
      };
    },
    { tellsRemovals: true },
  );

describeConnector(
  'sharepoint',
  async () => {
    const server = await startFakeGraph();
    const idOf = (name: string) => Buffer.from(name).toString('hex');
    return {
      connector: createSharepointConnector({
        ...clouds,
        tenant: 't',
        clientId: 'c',
        clientSecret: 's',
        place: { site: 'https://example.sharepoint.com/sites/hr' },
        library: null,
        folder: '',
        endings: null,
        origins: { graph: server.url, login: server.url },
      }),
      put: (name, content) => Promise.resolve(server.put({ id: idOf(name), name, parent: 'root', content })),
      remove: (name) => Promise.resolve(server.remove(idOf(name))),
      takeAway: server.close,
      close: server.close,
    };
  },
  { tellsRemovals: true },
);

describeConnector(
  'google drive',
  async () => {
    const server = await startFakeDrive();
    const idOf = (name: string) => Buffer.from(name).toString('hex');
    return {
      connector: createGoogleDriveConnector({
        ...clouds,
        credentials: { service_account: server.keyFile },
        subject: null,
        drive: null,
        folder: null,
        endings: null,
        origins: { api: server.url, token: server.url },
      }),
      put: (name, content) =>
        Promise.resolve(server.put({ id: idOf(name), name, parent: 'root', content, mimeType: typeOf(name) })),
      remove: (name) => Promise.resolve(server.remove(idOf(name))),
      takeAway: server.close,
      close: server.close,
    };
  },
  { tellsRemovals: true },
);
