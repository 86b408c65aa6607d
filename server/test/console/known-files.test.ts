import { KnownFiles, NamedDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let dev: SignedInBrowser;
let stranger: SignedInBrowser;
let id: string;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const TEXT = 'Fifteen days of leave a year.';

async function give(name: string, text: string, query = '') {
  const response = await fetch(
    `${house.base}/console/api/collections/${id}/documents?name=${encodeURIComponent(name)}&size=${Buffer.byteLength(text)}${query}`,
    {
      method: 'POST',
      headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: text,
    },
  );
  expect(response.status).toBe(201);
}

beforeAll(async () => {
  house = await openConsoleHouse();
  dev = await personOf(house, await makeTenant(house, 'Ours'), 'developer');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator');
  id = (await dev.post('/collections', { collection_name: 'Rules' })).json<{ collection_id: string }>().collection_id;
  await give('leave.md', TEXT);
  await give('same.md', 'Other words.', '&folder=a');
  await eventually(async () => {
    const { counts } = (await dev.get(`/collections/${id}/documents`)).json<{ counts: { ready: number } }>();
    expect(counts.ready).toBe(2);
  });
});
afterAll(() => house.close());

const ask = (who: SignedInBrowser, files: readonly object[]) =>
  who.post(`/collections/${id}/documents/known`, { files });
const known = async (files: readonly object[]) =>
  KnownFiles.parse((await ask(dev, files)).json()).items.map(
    ({ index, by, document_name: name }) => `${index} ${by} ${name}`,
  );

test('files are known by their content, whatever their name, or else by name within their folder', async () => {
  expect(
    await known([
      { name: 'renamed.md', sha256: sha256(TEXT) },
      { name: 'leave.md', sha256: sha256('changed') },
      { name: 'leave.md' },
      { name: 'new.md', sha256: sha256('new') },
      { name: 'same.md' },
      { name: 'same.md', folder: 'a' },
    ]),
  ).toEqual(['0 content leave.md', '1 name leave.md', '2 name leave.md', '5 name same.md']);
});

test('documents are found by a part of their name, in collections that are there for the person', async () => {
  const found = async (who: SignedInBrowser, name: string) =>
    NamedDocuments.parse((await who.get(`/documents?name=${encodeURIComponent(name)}`)).json()).items.map(
      (one) => `${one.collection_name}/${one.document_name}`,
    );
  expect(await found(dev, 'LEA')).toEqual(['Rules/leave.md']);
  expect(await found(dev, '%')).toEqual([]);
  expect(await found(stranger, 'leave')).toEqual([]);
});

test('a collection of others is not there, and bodies are strict', async () => {
  expectRefused(await ask(stranger, [{ name: 'leave.md' }]), 404);
  for (const files of [[], [{}], [{ name: 'a', sha256: 'x' }], [{ name: 'a', more: 1 }]])
    expect((await ask(dev, files)).status, JSON.stringify(files)).toBe(400);
});
