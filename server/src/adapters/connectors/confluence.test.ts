import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeConfluence, type FakeContent, startFakeConfluence } from '../../../test/fakes/confluence-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { type ConfluenceSource, createConfluenceConnector } from './confluence.ts';
import { createPageCount } from './json-api.ts';

const signal = new AbortController().signal;
let server: FakeConfluence;
let folder: string;
let waits: number[];
beforeEach(async () => {
  server = await startFakeConfluence(`Basic ${Buffer.from('a@x.kr:p').toString('base64')}`);
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-confluence-'));
  waits = [];
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
const put = (content: Partial<FakeContent> & { readonly id: string }) =>
  server.contents.set(content.id, {
    type: 'page',
    title: content.id,
    space: 'HR',
    version: 1,
    body: '<p>본문</p>',
    ...content,
  });
const open = (more: Partial<ConfluenceSource> = {}) =>
  createConfluenceConnector({
    url: `${server.url}/wiki/`,
    spaces: [],
    cql: null,
    takesFiles: true,
    credentials: { username: 'a@x.kr', password: 'p' },
    endings: null,
    request: createGuardedRequest({ allow: ['127.0.0.1'] }),
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    ...more,
  });
async function list(connector = open()) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}
const namesOf = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'present' ? [change.item.name] : []));

test('pages and files are listed page by page, by space and endings; their names are versions as well', async () => {
  for (let at = 1; at <= 5; at++) put({ id: String(at), title: `쪽 ${at}/가`, space: at < 4 ? 'HR' : 'IT' });
  put({ id: 'att9', type: 'attachment', title: '보고서.pdf', body: 'pdf' });
  const changes = await list();
  expect(namesOf(changes)).toEqual([...[1, 2, 3, 4, 5].map((at) => `쪽 ${at} 가.html`), '보고서.pdf']);
  expect(changes[0]).toMatchObject({
    item: { id: '1', metadata: { space: 'HR', url: `${server.url}/wiki/spaces/HR/pages/1` } },
  });
  expect(changes[5]).toMatchObject({ item: { id: 'att9', bytes: 3, metadata: { page: 'page' } } });
  expect(changes.at(-1)).toEqual({ type: 'end', isWhole: true, cursor: null });
  expect(namesOf(await list(open({ spaces: ['IT'], takesFiles: false })))).toEqual(['쪽 4 가.html', '쪽 5 가.html']);
  expect(namesOf(await list(open({ endings: new Set(['pdf']) })))).toEqual(['보고서.pdf']);
  put({ id: '1', title: '다른 이름' });
  const [renamed] = await list();
  expect(renamed).toMatchObject({ item: { id: '1', name: '다른 이름.html' } });
  expect(renamed).not.toMatchObject({ item: { version: (changes[0] as { item: { version: string } }).item.version } });
});

test('what a person asks for is within what the connector asks for', async () => {
  await list(open({ spaces: ['A"B', 'C'], cql: 'label = "public" or 1 = 1' }));
  expect(server.asked[0]).toContain(
    'cql=type+in+(page,+blogpost,+attachment)+and+space+in+("A\\"B",+"C")+and+(label+=+"public"+or+1+=+1)',
  );
  await expect(list(open({ cql: 'broken' }))).rejects.toMatchObject({ code: 'invalid_request', param: 'cql' });
});

test('a page is given as HTML, a file from where its server sends on to, without the secrets', async () => {
  put({ id: '1', title: '제목 & <b>' });
  put({ id: 'att2', type: 'attachment', title: 'a.txt', body: '가나다' });
  const path = join(folder, 'a');
  await open().fetch('1', { path, maxBytes: 10_000, signal });
  expect(readFileSync(path, 'utf8')).toContain('<h1>제목 &amp; &lt;b></h1>\n<p>본문</p>');
  expect(await open().fetch('att2', { path: `${path}2`, maxBytes: 100, signal })).toEqual({ bytes: 9 });
  expect(server.media.asked).toEqual(['/att2']);
});

test('patience is kept where it is asked for, and not without an end', async () => {
  put({ id: '1' });
  server.refusals.push(
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 503 },
    { status: 429, headers: { 'retry-after': '99999' } },
  );
  expect(namesOf(await list())).toEqual(['1.html']);
  expect(waits).toEqual([7_000, 2_000, 120_000]);
  server.refusals.push(...Array.from({ length: 10 }, () => ({ status: 429 })));
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
});

test('a service that names further pages without end is given up', async () => {
  const next = '/rest/api/content/search?start=0';
  server.refusals.push(
    ...Array.from({ length: 3 }, () => ({ status: 200, body: JSON.stringify({ results: [], _links: { next } }) })),
  );
  await expect(list()).rejects.toMatchObject({ code: 'unavailable', message: /without end/ });
  const pages = createPageCount();
  for (let at = 0; at < 20_000; at++) pages(`page ${at}`);
  expect(() => pages('one more')).toThrow('without end');
});

test('wrong secrets are refused; tokens by themselves are taken; other answers are none of Confluence', async () => {
  await expect(list(open({ credentials: { username: 'a@x.kr', password: 'x' } }))).rejects.toMatchObject({
    code: 'forbidden',
  });
  server.tokens.add('Bearer secret');
  expect(await list(open({ credentials: { token: 'secret' } }))).toHaveLength(1);
  await expect(list(open({ url: `${server.url}/else` }))).rejects.toMatchObject({ code: 'unavailable' });
  server.refusals.push({ status: 200, body: '<html>' });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
  server.refusals.push({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
});

test('the address of a Cloud is known by its name', async () => {
  const asked: string[] = [];
  const request = (url: string) => {
    asked.push(url);
    return Promise.reject(new Error('nobody'));
  };
  await expect(list(open({ url: 'https://x.atlassian.net', request }))).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked[0]).toMatch(/^https:\/\/x\.atlassian\.net\/wiki\/rest\/api\/content\/search\?/);
});

const person = (email: string) => ({ kind: 'person', email });
const groupOf = (name: string) => ({ kind: 'group', id: name, name });
const user = (email: string) => ({ type: 'known', accountType: 'atlassian', email });
const readersIn = async (more: Partial<ConfluenceSource> = {}) =>
  Object.fromEntries(
    (await list(open({ tellsReaders: true, ...more }))).flatMap((one) =>
      one.type === 'present' ? [[one.item.id, one.item.readers]] : [],
    ),
  );

test('a page is for those of its list and of the lists of all pages above it; a file for those of its page', async () => {
  put({ id: '6', type: 'attachment', parent: '3' });
  put({ id: '4', parent: '3', readers: { groups: [{ type: 'group', name: 'hr' }] } });
  put({ id: '3', parent: '2' });
  put({ id: '2', parent: '1', readers: { users: [user('a@x.kr'), user('')], groups: [{ id: 'g1', name: '인사팀' }] } });
  put({ id: '1' });
  put({ id: '5', parent: '4', readers: { groups: [{ name: 'hr' }] } });
  put({ id: '7', type: 'blogpost', readers: { users: [user('b@x.kr')] } });
  put({ id: '8', type: 'attachment', parent: '1' });
  put({ id: '9', type: 'attachment', parent: '7', readers: { users: [user('a@x.kr')] } });
  const second = [person('a@x.kr'), { kind: 'group', id: 'g1', name: '인사팀' }];
  const both = { allOf: [[groupOf('hr')], second] };
  expect(await readersIn()).toEqual({
    1: 'everybody',
    2: second,
    3: second,
    4: both,
    5: both,
    6: second,
    7: [person('b@x.kr')],
    8: 'everybody',
    9: { allOf: [[person('a@x.kr')], [person('b@x.kr')]] },
  });
  // All of it stands in the listing.
  expect(server.asked.filter((path) => !path.includes('/search?'))).toEqual([]);
  const asked = server.asked.length;
  expect(Object.values(await readersIn({ tellsReaders: false }))).toEqual(Array.from({ length: 9 }, () => undefined));
  expect(server.asked.slice(asked).filter((path) => path.includes('restrictions'))).toEqual([]);
});

test('what is not told is nobody: people without addresses, refused lists, pages above that nobody knows, files of no page', async () => {
  put({ id: '1', readers: { users: [user(''), { type: 'known', username: 'kim', userKey: '8a' }] } });
  put({ id: '2', parent: '1' });
  put({ id: '3' });
  put({ id: '4', parent: '3' });
  server.secret.add('3');
  put({ id: '5', type: 'attachment' });
  put({ id: '6', type: 'attachment', parent: '9' });
  put({ id: '9', parent: '3' });
  server.drafts.add('9');
  expect(await readersIn()).toEqual({ 1: null, 2: null, 3: null, 4: null, 5: null, 6: null });
});

test('pages above that the listing leaves out are asked for once; long lists are read to their end', async () => {
  const users = [1, 2, 3, 4, 5].map((at) => user(`${at}@x.kr`));
  put({ id: '1', space: 'IT', readers: { users, groups: [{ name: 'hr' }, { name: 'it' }, { name: 'law' }] } });
  put({ id: '2', space: 'IT', parent: '1' });
  server.drafts.add('2');
  for (const id of ['3', '4']) put({ id, parent: '2' });
  put({ id: '5', type: 'attachment', parent: '2' });
  put({ id: '6', readers: { users } });
  const readers = (await readersIn({ spaces: ['HR'] })) as Record<string, object[]>;
  expect(readers['3']).toHaveLength(8);
  expect(readers['3']).toEqual(
    expect.arrayContaining([...users.map(({ email }) => person(email)), ...['hr', 'it', 'law'].map(groupOf)]),
  );
  expect([readers['4'], readers['5']]).toEqual([readers['3'], readers['3']]);
  expect(readers['6']).toEqual(users.map(({ email }) => person(email)));
  const asked = server.asked.flatMap((path) => /content\/(\d.*)$/.exec(path)?.[1] ?? []);
  const list = 'restriction/byOperation/read?expand=restrictions.user,restrictions.group&limit=100&start';
  const lists = ['1', '6'].flatMap((id) => [`${id}/${list}=0`, `${id}/${list}=3`]);
  expect(asked.toSorted()).toEqual([...lists, `2/${list}=0`, '2?status=any&expand=ancestors'].toSorted());
});

test('a list whose people are kept back is one; files of spaces are on no page; what a listing leaves out is asked for', async () => {
  const none = { results: [], start: 0, limit: 200, size: 0 };
  const read = (size: number) => ({ read: { restrictions: { user: { ...none, size }, group: none } } });
  const page = { type: 'page', title: 'x', ancestors: [], restrictions: read(0) };
  const results = [
    { ...page, id: '1' },
    { ...page, id: '2', restrictions: read(1) },
    { ...page, id: '3', type: 'attachment', container: { id: 1, key: 'HR', type: 'global' } },
    { ...page, id: '4', type: 'attachment', container: { id: '1', type: 'comment' } },
    { id: '5', type: 'page', title: 'x' },
    { id: '6', type: 'page', title: 'x' },
  ];
  put({ id: '5', readers: { users: [user('a@x.kr')] } });
  server.refusals.push({ status: 200, body: JSON.stringify({ results }) });
  expect(await readersIn()).toEqual({ 1: 'everybody', 2: null, 3: null, 4: null, 5: [person('a@x.kr')], 6: null });
});
