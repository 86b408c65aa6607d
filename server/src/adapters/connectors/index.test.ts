import { type ConnectorSettings, ConnectorSettings as Settings } from '@ai-studio/contract/retrieval/connector.ts';
import { expect, test } from 'vitest';
import { createSourceOpener } from './index.ts';

const open = createSourceOpener({
  folders: ['/srv/papers'],
  request: () => Promise.reject(new Error('nobody is asked')),
  resolve: () => Promise.reject(new Error('nobody is asked')),
});
const url = 'https://x.example.kr/';
const login = { username: 'u', password: 'p' };
const keys = { access_key_id: 'a', secret_access_key: 's' };
const s3 = { kind: 's3', endpoint: url, bucket: 'papers' };
const postgresql = { kind: 'postgresql', host: 'db.example.kr', database: 'd', query: 'SELECT 1' };
const mysql = { ...postgresql, kind: 'mysql' };
const git = { kind: 'git', url, branch: 'main', folder: '/docs/', pattern: '**/*.md' };
const confluence = { kind: 'confluence', url, spaces: ['HR'] };
const sharepoint = { kind: 'sharepoint', tenant: 'x.kr', client_id: 'c', site: url };
const drive = { kind: 'google_drive', folder: 'abc' };
const agreed = { client_id: 'c', client_secret: 's', refresh_token: 'r' };
const read = (settings: object): ConnectorSettings => Settings.parse(settings);

test.each([
  [{ kind: 'folder', path: '/srv/papers/2026' }, null],
  [{ kind: 'webdav', url }, null],
  [{ kind: 'webdav', url }, login],
  [{ kind: 'web', url }, null],
  [{ kind: 'web', url, within: '/docs/', depth: 0, sitemap: false, endings: ['pdf'] }, {}],
  [{ kind: 'feed', url, pages: false }, null],
  [s3, keys],
  [postgresql, login],
  [mysql, login],
  [git, null],
  [git, login],
  [confluence, login],
  [confluence, { token: 't' }],
  [sharepoint, { client_secret: 's' }],
  [drive, agreed],
] as const)('%j is opened, and asks nobody before it is listed', async (settings, secrets) => {
  await open(read(settings), secrets).close();
});

test.each([
  [{ kind: 'folder', path: '/srv' }, null, 'settings.path'],
  [{ kind: 'folder', path: '/srv/papers/../x' }, null, 'settings.path'],
  [{ kind: 'folder', path: '/srv/papers' }, login, 'secrets'],
  [{ kind: 'webdav', url }, { username: 'u' }, 'secrets'],
  [{ kind: 'webdav', url }, { ...login, token: 't' }, 'secrets'],
  [{ kind: 'web', url }, login, 'secrets'],
  [{ kind: 'feed', url }, login, 'secrets'],
  [s3, null, 'secrets'],
  [s3, login, 'secrets'],
  [postgresql, null, 'secrets'],
  [mysql, keys, 'secrets'],
  [git, { password: 'p' }, 'secrets'],
  [confluence, null, 'secrets'],
  [confluence, { ...login, token: 't' }, 'secrets'],
  [sharepoint, null, 'secrets'],
  [drive, null, 'secrets'],
  [drive, { service_account: 'no key' }, 'secrets'],
  [drive, { ...agreed, service_account: '{}' }, 'secrets'],
])('%j with the secrets %j is refused', (settings, secrets, param) => {
  expect(() => open(read(settings), secrets)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
});

test.each([
  { kind: 'web', url: 'ftp://x.kr/' },
  { kind: 'web', url, within: 'docs' },
  { kind: 'web', url, depth: 21 },
  { ...s3, bucket: '../other' },
  { ...s3, bucket: 'a/b' },
  { ...postgresql, host: 'db.example.kr/x' },
  { ...postgresql, host: 'u:p@db' },
  { ...postgresql, port: 0 },
  { ...git, url: 'ssh://git@x.kr/a' },
  { ...git, branch: 'a b' },
  { ...sharepoint, site: undefined },
  { ...sharepoint, user: 'a@x.kr' },
  { ...sharepoint, site: 'http://x.sharepoint.com' },
  { ...drive, folder: '../x' },
])('%j is no source', (settings) => {
  expect(Settings.safeParse(settings).success).toBe(false);
});
