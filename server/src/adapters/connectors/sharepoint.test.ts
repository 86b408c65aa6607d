import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGraph, startFakeGraph } from '../../../test/fakes/graph-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { createSharepointConnector, type SharepointSource } from './sharepoint.ts';

const signal = new AbortController().signal;
let server: FakeGraph;
let waits: number[];
beforeEach(async () => {
  server = await startFakeGraph();
  waits = [];
  server.put({ id: 'F1', name: '규정', parent: 'root', content: null });
  server.put({ id: 'F2', name: '2026', parent: 'F1', content: null });
  server.put({ id: 'A', name: 'a.docx', parent: 'F1', content: 'a' });
  server.put({ id: 'B', name: 'b.pdf', parent: 'F2', content: 'b' });
  server.put({ id: 'C', name: 'c.txt', parent: 'root', content: 'c' });
});
afterEach(() => server.close());
const open = (more: Partial<SharepointSource> = {}) =>
  createSharepointConnector({
    tenant: 'example.kr',
    clientId: 'c',
    clientSecret: 's',
    place: { site: 'https://example.sharepoint.com/sites/hr/' },
    library: null,
    folder: '',
    endings: null,
    request: createGuardedRequest({ allow: ['127.0.0.1'] }),
    origins: { graph: server.url, login: server.url },
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    ...more,
  });
async function list(connector = open(), cursor: string | null = null, maxItems = 100) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor, maxItems, signal })) changes.push(change);
  const end = changes.at(-1) as Extract<SourceChange, { type: 'end' }>;
  return { changes: changes.slice(0, -1), end, told: changes.slice(0, -1).map(wordOf) };
}
const wordOf = (change: SourceChange) =>
  change.type === 'present'
    ? `${change.item.id} ${change.item.metadata['folder'] ?? ''}/${change.item.name}`
    : change.type === 'removed'
      ? `${change.id} gone`
      : change.type;

test('a library is listed whole, page by page, with the folders of its files; a folder or endings of it alone', async () => {
  expect((await list()).told).toEqual(['A 규정/a.docx', 'B 규정/2026/b.pdf', 'C /c.txt']);
  expect((await list()).end).toMatchObject({ isWhole: true });
  expect((await list(open({ folder: '규정' }))).told).toEqual(['A /a.docx', 'B 2026/b.pdf']);
  expect((await list(open({ endings: new Set(['pdf']), library: '문서' }))).told).toEqual(['B 규정/2026/b.pdf']);
  expect((await list(open({ place: { user: 'a@example.kr' } }))).told).toHaveLength(3);
  for (const more of [
    { folder: 'gone' },
    { library: 'gone' },
    { place: { user: 'b' } },
    { place: { site: 'https://example.sharepoint.com/x' } },
  ])
    await expect(list(open(more))).rejects.toMatchObject({ code: 'unavailable' });
});

test('what changed, was renamed, moved away or went is told of alone', async () => {
  const connector = open({ folder: '규정' });
  const first = await list(connector);
  expect((await list(connector, first.end.cursor)).told).toEqual([]);
  server.put({ id: 'A', name: 'a2.docx', parent: 'F1', content: 'a' });
  server.put({ id: 'B', name: 'b.pdf', parent: 'root', content: 'b' });
  server.put({ id: 'D', name: 'd.txt', parent: 'F2', content: 'd' });
  server.remove('C');
  const second = await list(connector, first.end.cursor);
  expect(second.told).toEqual(['A /a2.docx', 'B gone', 'D 2026/d.txt', 'C gone']);
  expect(second.end).toMatchObject({ isWhole: false });
  const versionOf = ({ changes }: typeof first) => (changes[0] as { item: { version: string } }).item.version;
  expect(versionOf(second)).not.toBe(versionOf(first));
  expect((await list(connector, second.end.cursor)).told).toEqual([]);
});

test.each([
  ['a delta that is known no more', () => void (server.forgetBefore = 1_000)],
  ['a folder that moved', () => server.put({ id: 'F2', name: '2026', parent: 'root', content: null })],
  ['a folder that went', () => server.remove('F2')],
  ['a folder that came', () => server.put({ id: 'F3', name: 'new', parent: 'F1', content: null })],
])('%s has all listed anew', async (_, change) => {
  const connector = open({ folder: '규정' });
  const first = await list(connector);
  change();
  expect((await list(connector, first.end.cursor)).end).toMatchObject({ isWhole: true });
  expect((await list(connector, 'no cursor')).end).toMatchObject({ isWhole: true });
});

test('a key that ran out is asked for anew, patience is kept, and wrong secrets are refused', async () => {
  const connector = open();
  await list(connector);
  server.tokens.clear();
  server.refusals.push({ status: 429, headers: { 'retry-after': '3' } });
  expect((await list(connector)).told).toHaveLength(3);
  expect(waits).toEqual([3_000]);
  await expect(list(open({ clientSecret: 'x' }))).rejects.toMatchObject({ code: 'forbidden' });
  server.refusals.push({ status: 403 });
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' });
});

test('keys are sent to the service alone: pages of other servers are not asked for', async () => {
  server.refusals.push({ status: 200, body: JSON.stringify({ id: 'b!d' }) });
  const connector = open({ place: { user: 'a@example.kr' } });
  await list(connector);
  server.refusals.push({ status: 200, body: JSON.stringify({ value: [], '@odata.nextLink': 'http://127.0.0.1:1/x' }) });
  await expect(list(connector)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a library that goes on and on is not held whole', async () => {
  const guarded = createGuardedRequest({ allow: ['127.0.0.1'] });
  const value = Array.from({ length: 51_000 }, (_, at) => ({ id: `i${at}`, name: 'a.txt', file: {} }));
  const page = Buffer.from(JSON.stringify({ value, '@odata.nextLink': `${server.url}/v1.0/root/delta?more` }));
  let pages = 0;
  const request: SharepointSource['request'] = (url, options) => {
    if (!url.includes('/root/delta')) return guarded(url, options);
    if (++pages > 3) throw new Error('asked on and on');
    const body = (async function* () {
      yield await Promise.resolve(page);
    })();
    return Promise.resolve({ status: 200, headers: new Map(), body, close: () => Promise.resolve() });
  };
  const { told, end } = await list(open({ request }), null, 3);
  expect([pages, told.at(0), told.length]).toEqual([1, 'unreadable', 5]);
  expect(end).toMatchObject({ isWhole: false, cursor: null });
});

const person = (email: string) => ({ roles: ['read'], grantedToV2: { user: { id: 'x', displayName: 'x', email } } });
const GROUP = '11111111-2222-3333-4444-555555555555';

test('who may read each file is told, from permissions of all kinds; nobody where they cannot be read', async () => {
  const site = (loginName: string, displayName = '') => ({
    roles: ['write'],
    grantedToV2: { siteUser: { loginName, displayName } },
  });
  server.permissions.set('A', [
    person('Ada@example.kr'),
    {
      roles: ['owner'],
      grantedToV2: {
        group: { id: GROUP, displayName: '인사팀' },
        siteUser: { loginName: 'c:0o.c|federateddirectoryclaimprovider|x' },
      },
    },
    { roles: ['read'], link: { scope: 'users' }, grantedToIdentitiesV2: [{ user: { email: 'link@example.kr' } }] },
    site('i:0#.f|membership|login@example.kr'),
    site(`c:0t.c|tenant|${GROUP}`, '인사팀'),
    { roles: ['read'], grantedToV2: { siteGroup: { id: '5', displayName: '문서 구성원' } } },
    { roles: ['read'], grantedToV2: { application: { id: 'app' } } },
    { ...person('late@example.kr'), expirationDateTime: '2020-01-01T00:00:00Z' },
    { ...person('no@example.kr'), roles: ['restrictedRead'] },
    site('i:0#.f|membership|guest_mail.com#ext#@example.onmicrosoft.com'),
  ]);
  server.permissions.set('C', [person('a@example.kr'), { roles: ['read'], link: { scope: 'organization' } }]);
  server.put({ id: 'D', name: 'd.txt', parent: 'root', content: 'd' });
  server.permissions.set('D', [site('c:0-.f|rolemanager|spo-grid-all-users/1')]);
  server.put({ id: 'E', name: 'e.txt', parent: 'root', content: 'e' });
  server.permissions.set('E', []);
  const readers = async (connector: ReturnType<typeof open>) =>
    Object.fromEntries(
      (await list(connector)).changes.map((one) => [
        one.type === 'present' && one.item.id,
        one.type === 'present' && one.item.readers,
      ]),
    );
  const connector = open({ tellsReaders: true });
  expect(await readers(connector)).toEqual({
    A: [
      { kind: 'person', email: 'Ada@example.kr' },
      { kind: 'group', id: GROUP, name: '인사팀' },
      { kind: 'person', email: 'link@example.kr' },
      { kind: 'person', email: 'login@example.kr' },
      { kind: 'group', id: GROUP, name: '인사팀' },
      { kind: 'group', id: 'site/문서 구성원', name: '문서 구성원' },
    ],
    B: null,
    C: 'everybody',
    D: 'everybody',
    E: [],
  });
  const asked = server.asked.length;
  expect(Object.values(await readers(open()))).toEqual(Array.from({ length: 5 }, () => undefined));
  expect(server.asked.slice(asked).filter((path) => path.includes('permissions'))).toEqual([]);
});

test('permissions and members that come to no end are given up', async () => {
  const connector = open({ place: { user: 'a@example.kr' } });
  await list(connector);
  const same = { status: 200, body: JSON.stringify({ value: [], '@odata.nextLink': `${server.url}/v1.0/x` }) };
  server.refusals.push(same, same, same);
  await expect(connector.members?.(GROUP, signal)).rejects.toMatchObject({ code: 'unavailable' });
});

test('who is in a group of the directory is told by all their addresses; not of groups of a site, nor where that is refused', async () => {
  server.groups.set(GROUP, [
    { mail: 'a@example.kr', userPrincipalName: 'a@example.onmicrosoft.com' },
    { mail: null, userPrincipalName: 'b@example.kr' },
    { mail: 'c@example.kr', userPrincipalName: 'c@example.kr' },
    { mail: null, userPrincipalName: 'guest_mail.com#EXT#@example.onmicrosoft.com' },
  ]);
  const connector = open();
  const addresses = ['a@example.kr', 'a@example.onmicrosoft.com', 'b@example.kr', 'c@example.kr'];
  expect(await connector.members?.(GROUP, signal)).toEqual(addresses.map((email) => ({ kind: 'person', email })));
  expect(await connector.members?.('99999999-2222-3333-4444-555555555555', signal)).toBeNull();
  const asked = server.asked.length;
  expect(await connector.members?.('site/문서 구성원', signal)).toBeNull();
  expect(await connector.members?.('../users', signal)).toBeNull();
  expect(server.asked).toHaveLength(asked);
});
