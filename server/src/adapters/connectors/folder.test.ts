import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceChange } from '../../ports/connector.ts';
import { createFolderConnector } from './folder.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ai-studio-folder-')));
  root = join(base, 'allowed', 'documents');
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const signal = new AbortController().signal;
const open = (path = root, endings: readonly string[] | null = null) =>
  createFolderConnector({
    allowed: [join(base, 'allowed')],
    path,
    endings: endings === null ? null : new Set(endings),
  });
async function list(connector = open()) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor: null, maxItems: 100, signal })) changes.push(change);
  return changes;
}
const ids = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'present' ? [change.item.id] : []));
const fetchTo = (id: string, connector = open()) =>
  connector.fetch(id, { path: join(base, 'fetched'), maxBytes: 1_000, signal });

test('folders become metadata; hidden files and those of programs are left out, as are endings that were not asked for', async () => {
  mkdirSync(join(root, '2026', '예산'), { recursive: true });
  mkdirSync(join(root, '.git'));
  for (const name of ['2026/예산/안.HWP', 'a.pdf', '.hidden', '.git/config', '~$a.docx', 'Thumbs.db', 'none'])
    writeFileSync(join(root, name), 'x');
  const changes = await list();
  expect(ids(changes)).toEqual(['2026/예산/안.HWP', 'a.pdf', 'none']);
  expect(changes[0]).toMatchObject({ item: { name: '안.HWP', bytes: 1, metadata: { folder: '2026/예산' } } });
  expect(ids(await list(open(root, ['hwp'])))).toEqual(['2026/예산/안.HWP']);
});

test('a name in the letters of NFD has the same id, and is found by it', async () => {
  writeFileSync(join(root, '한글.txt'.normalize('NFD')), '가');
  expect(ids(await list())).toEqual(['한글.txt'.normalize('NFC')]);
  expect(await fetchTo('한글.txt'.normalize('NFC'))).toEqual({ bytes: 3 });
});

describe('links', () => {
  test('lead to files within the folder alone, and never around', async () => {
    writeFileSync(join(base, 'secret.txt'), 'secret');
    mkdirSync(join(base, 'elsewhere'));
    writeFileSync(join(base, 'elsewhere', 'b.txt'), 'secret');
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'a.txt'), 'x');
    symlinkSync(join(root, 'sub', 'a.txt'), join(root, 'inside.txt'));
    symlinkSync(join(base, 'secret.txt'), join(root, 'outside.txt'));
    symlinkSync(join(base, 'elsewhere'), join(root, 'outside'));
    symlinkSync(root, join(root, 'sub', 'around'));
    symlinkSync(join(root, 'nothing'), join(root, 'dangling.txt'));
    const changes = await list();
    expect(ids(changes)).toEqual(['inside.txt', 'sub/a.txt']);
    expect(changes.at(-1)).toEqual({ type: 'end', isWhole: true, cursor: null });
    expect(await fetchTo('inside.txt')).toEqual({ bytes: 1 });
    for (const id of ['outside.txt', 'outside/b.txt', 'dangling.txt', 'sub/../../../secret.txt'])
      await expect(fetchTo(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a folder that is a link out of what is allowed is refused', async () => {
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'allowed', 'link'));
    await expect(list(open(join(base, 'allowed', 'link')))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

test.each([
  ['elsewhere', 'forbidden'],
  ['allowed/../elsewhere', 'forbidden'],
  ['allowed-too', 'forbidden'],
  ['allowed/nothing', 'unavailable'],
  ['allowed/file', 'invalid_request'],
])('%s is refused: %s', async (path, code) => {
  mkdirSync(join(base, 'elsewhere'));
  mkdirSync(join(base, 'allowed-too'));
  writeFileSync(join(base, 'allowed', 'file'), 'x');
  await expect(list(open(`${base}/${path}`))).rejects.toMatchObject({ code });
});

test('without allowed folders nothing is, and a relative path is none', async () => {
  await expect(list(createFolderConnector({ allowed: [], path: root, endings: null }))).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(list(open('documents'))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('what lies too deep is told, and nothing is taken for gone', async () => {
  const deep = join(root, ...Array.from({ length: 65 }, () => 'd'));
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'a.txt'), 'x');
  writeFileSync(join(root, 'e.txt'), 'x');
  expect(await list()).toMatchObject([
    { type: 'unreadable', id: null, problem: { reason: 'too_deep', values: { limit: 64 } } },
    { type: 'present', item: { id: 'e.txt' } },
    { type: 'end', isWhole: false },
  ]);
});

test('a path that is too long for an id is told, and nothing is taken for gone', async () => {
  const deep = join(root, ...Array.from({ length: 5 }, () => 'x'.repeat(100)));
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'a.txt'), 'x');
  expect(await list()).toMatchObject([
    { type: 'unreadable', id: null, problem: { reason: 'path_too_long', values: { limit: 460 } } },
    { type: 'end', isWhole: false },
  ]);
});
