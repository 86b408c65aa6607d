import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWebdavServer, type WebdavServer } from '../../../test/fakes/webdav-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { createWebdavConnector } from './webdav.ts';

let server: WebdavServer;
let folder: string;
beforeEach(async () => {
  server = await startWebdavServer();
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-webdav-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const open = (allow: readonly string[] = ['127.0.0.1'], more: object = {}) =>
  createWebdavConnector({
    url: server.url,
    credentials: { username: '가람', password: 'a:b' },
    endings: null,
    request: createGuardedRequest({ allow }),
    ...more,
  });
async function list(connector = open()) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}
const ids = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'present' ? [change.item.id] : []));

test('folders are looked into; hidden files and other endings are left out; every request has the secrets', async () => {
  for (const path of ['a.txt', '2026/예산 & 안#1.hwp', '2026/.hidden', '.git/config', '100%.txt'])
    server.files.set(path, path);
  const changes = await list();
  expect(ids(changes)).toEqual(['a.txt', '100%.txt', '2026/예산 & 안#1.hwp']);
  expect(changes[2]).toMatchObject({
    item: {
      name: '예산 & 안#1.hwp',
      metadata: { folder: '2026', url: expect.stringMatching(/%231\.hwp$/) as string },
    },
  });
  const path = join(folder, 'x');
  await open().fetch('2026/예산 & 안#1.hwp', { path, maxBytes: 100, signal });
  expect(readFileSync(path, 'utf8')).toBe('2026/예산 & 안#1.hwp');
  const given = `Basic ${Buffer.from('가람:a:b').toString('base64')}`;
  expect(new Set(server.authorizations)).toEqual(new Set([given]));
  expect(ids(await list(open(['127.0.0.1'], { endings: new Set(['hwp']) })))).toEqual(['2026/예산 & 안#1.hwp']);
});

test('without entity tags the time of the last change and the length are the version', async () => {
  server.hasTags = false;
  server.files.set('a.txt', 'abc');
  expect((await list())[0]).toMatchObject({ item: { version: 'Tue, 05 May 2026 05:05:05 GMT-3' } });
});

test('entries of elsewhere are left out', async () => {
  server.files.set('a.txt', 'x');
  const entry = (href: string) =>
    `<d:response><d:href>${href}</d:href><d:propstat><d:prop/><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  server.extra = ['https://elsewhere.example/b.txt', '/dav/other/c.txt', '../d.txt', '/dav/%E0%A4%A', 'http://[']
    .map(entry)
    .join('');
  expect(ids(await list())).toEqual(['a.txt']);
});

test('a folder that is refused makes the listing no whole one', async () => {
  server.files.set('closed/a.txt', 'x');
  server.refused.set('closed/', 403);
  expect(await list()).toMatchObject([
    { type: 'unreadable', id: null, name: 'closed/', problem: { reason: 'access_refused', values: { status: 403 } } },
    { type: 'end', isWhole: false },
  ]);
});

test.each([
  [401, 'forbidden'],
  [404, 'unavailable'],
  [302, 'unavailable'],
  [200, 'unavailable'],
  [503, 'unavailable'],
])('a server that answers %i for the folder is a failure: %s', async (status, code) => {
  server.refused.set('', status);
  await expect(list()).rejects.toMatchObject({ code });
});

test.each(['<d:multistatus xmlns:d="DAV:">', '<html/>', '', '<d:multistatus xmlns:d="DAV:"><!DOCTYPE x>&y;'])(
  'a reply that is no listing is a failure: %s',
  async (text) => {
    const request = () =>
      Promise.resolve({
        status: 207,
        headers: new Map<string, string>(),
        body: (async function* () {
          yield await Promise.resolve(Buffer.from(text));
        })(),
        close: () => Promise.resolve(),
      });
    await expect(list(open([], { request }))).rejects.toMatchObject({ code: 'unavailable' });
  },
);

test('a server that the operator did not open is not asked', async () => {
  await expect(list(open([]))).rejects.toMatchObject({ code: 'unavailable' });
  expect(server.authorizations).toEqual([]);
});
