import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGit, gitId, packedObject, packOf, startFakeGit } from '../../../test/fakes/git-server.ts';
import { createGuardedRequest } from '../../net-guard/index.ts';
import type { SourceChange } from '../../ports/connector.ts';
import { applyDelta, BadPack, readPack, readTree } from './git-pack.ts';
import { createGitConnector, type GitSource } from './git.ts';

let server: FakeGit;
let folder: string;
beforeEach(async () => {
  server = await startFakeGit();
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-git-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const signal = new AbortController().signal;
const open = (more: Partial<GitSource> = {}, allow: readonly string[] = ['127.0.0.1']) =>
  createGitConnector({
    url: server.url,
    credentials: null,
    branch: null,
    folder: '',
    pattern: null,
    endings: null,
    request: createGuardedRequest({ allow }),
    ...more,
  });
async function list(connector = open(), cursor: string | null = null, maxItems = 100) {
  const changes: SourceChange[] = [];
  for await (const change of connector.list({ cursor, maxItems, signal })) changes.push(change);
  return changes;
}
const idsOf = (changes: readonly SourceChange[]) =>
  changes.flatMap((change) => (change.type === 'present' ? [change.item.id] : []));
const tree: Readonly<Record<string, string>> = {
  'README.md': '# 가',
  'docs/a.md': 'a',
  'docs/ko/나.md': '나',
  'docs/ko/b.txt': 'b',
  'docsx/c.md': 'c',
  '.github/x.md': 'x',
  '.gitignore': 'x',
  'to-a.md': 'link:docs/a.md',
};
const put = (files: Readonly<Record<string, string>> = tree) => {
  for (const [path, content] of Object.entries(files)) server.files.set(path, content);
  server.commit();
};

test('files of a folder, of a pattern, of endings are taken; links and what begins with a dot are not', async () => {
  put();
  expect(idsOf(await list())).toEqual(['README.md', 'docs/a.md', 'docsx/c.md', 'docs/ko/b.txt', 'docs/ko/나.md']);
  expect(idsOf(await list(open({ folder: 'docs' })))).toEqual(['a.md', 'ko/b.txt', 'ko/나.md']);
  expect(idsOf(await list(open({ folder: 'docs/ko', endings: new Set(['md']) })))).toEqual(['나.md']);
  expect(idsOf(await list(open({ pattern: 'docs/**/*.md' })))).toEqual(['docs/a.md', 'docs/ko/나.md']);
  expect((await list(open({ branch: 'main' }))).at(-1)).toMatchObject({ type: 'end', isWhole: true });
});

test('a folder that is not there is a failure that names it, never an empty listing', async () => {
  put();
  for (const gone of ['nothing', 'docs/none', 'README.md', 'doc'])
    await expect(list(open({ folder: gone }))).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'repository_folder_missing',
      values: { folder: gone },
    });
});

test('a branch that did not move is asked for no more than that; one that did for its folders alone', async () => {
  put();
  const connector = open();
  const end = (await list(connector)).at(-1) as Extract<SourceChange, { type: 'end' }>;
  expect(server.asked).toEqual(['ls-refs', 'commit without files']);
  server.asked.length = 0;
  expect(await list(connector, end.cursor)).toEqual([{ type: 'end', isWhole: false, cursor: end.cursor }]);
  expect(server.asked).toEqual(['ls-refs']);
  put({ 'README.md': '# 나' });
  const changes = await list(connector, end.cursor);
  expect(changes.at(-1)).not.toMatchObject({ cursor: end.cursor });
  expect(changes.at(-1)).toMatchObject({ isWhole: true });
  server.asked.length = 0;
  const path = join(folder, 'a');
  await connector.fetch('README.md', { path, maxBytes: 100, signal });
  expect([readFileSync(path, 'utf8'), server.asked]).toEqual(['# 나', ['blob']]);
});

test('a server that leaves no files out is read as well', async () => {
  server.hasFilter = false;
  put({ ...tree, 'long.txt': '가나다'.repeat(100_000) });
  expect(idsOf(await list())).toContain('long.txt');
  expect(server.asked).toContain('commit');
});

test('a file that is another than was asked for, or is kept elsewhere, is refused', async () => {
  put({ 'a.txt': 'right', 'b.pdf': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' });
  server.forged.set(gitId('blob', Buffer.from('right')), 'wrong');
  const connector = open();
  await list(connector);
  const fetched = (id: string) => connector.fetch(id, { path: join(folder, id), maxBytes: 1_000, signal });
  await expect(fetched('a.txt')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(fetched('b.pdf')).rejects.toMatchObject({ code: 'unprocessable' });
});

test('secrets go to the server alone that they are for, also where it sends on', async () => {
  await server.close();
  server = await startFakeGit('u:p');
  put();
  await expect(list()).rejects.toMatchObject({ code: 'forbidden' });
  const credentials = { username: 'u', password: 'p' };
  const base = server.url.slice(0, -'/repo.git'.length);
  expect(idsOf(await list(open({ credentials })))).toContain('README.md');
  expect(idsOf(await list(open({ credentials, url: `${base}/old` })))).toContain('README.md');
  for (const path of ['elsewhere', 'dumb', 'missing'])
    await expect(list(open({ credentials, url: `${base}/${path}` }))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(list(open({ credentials }, []))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(list(open({ credentials, branch: 'gone' }))).rejects.toMatchObject({ code: 'unavailable' });
});

test('a repository whose folders hold each other many times over is looked at for as long as a listing may be', async () => {
  const files: Record<string, string> = {};
  for (let at = 0; at < 30; at++) files[`f${at}.txt`] = 'x';
  put(files);
  const changes = await list(open(), null, 10);
  expect(idsOf(changes)).toHaveLength(10);
  expect(changes.at(-1)).toMatchObject({ isWhole: false });
});

test('differences are applied, whichever comes first; what they are of is found by its place or by its id', async () => {
  const base = Buffer.from('tree-a tree-b tree-c');
  const made = Buffer.from('tree-a tree-x');
  const delta = Buffer.from([base.length, made.length, 0x90, 7, 6, ...Buffer.from('tree-x')]);
  expect(applyDelta(base, delta).toString()).toBe('tree-a tree-x');
  const whole = packedObject(2, base);
  const byId = packedObject(7, delta, Buffer.from(gitId('tree', base), 'hex'));
  const byPlace = packedObject(6, delta, Buffer.from([whole.length]));
  for (const objects of [
    [whole, byPlace],
    [whole, byId],
    [byId, whole],
  ])
    expect([...(await readPack(packOf(objects), 'sha1')).keys()].sort()).toEqual(
      [gitId('tree', base), gitId('tree', made)].sort(),
    );
  for (const wrong of [
    [99, 1],
    [base.length, 5, 0x90, 7],
    [base.length, 99, 0x90, 99],
    [base.length, 5, 0],
    [base.length, 5, 5, 1],
  ])
    expect(() => applyDelta(base, Buffer.from(wrong))).toThrow(BadPack);
});

test('a pack is not read on once nobody waits for it', async () => {
  const pack = packOf(Array.from({ length: 3 }, (_, at) => packedObject(2, Buffer.from(`${at}`))));
  await expect(readPack(pack, 'sha1', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});

test('differences make no more than a listing may hold, also of what never comes', async () => {
  const base = Buffer.alloc(100, 'a');
  const id = Buffer.from(gitId('tree', base), 'hex');
  const made = 100 * 10;
  const delta = Buffer.from([
    base.length,
    (made & 127) | 128,
    made >> 7,
    ...Array.from({ length: 10 }, () => [0x90, 100]).flat(),
  ]);
  const waiting = Array.from({ length: 5 }, () => packedObject(7, delta, id));
  const read = (objects: readonly Buffer[]) => readPack(packOf(objects), 'sha1', { maxKept: 4_000 });
  await expect(read([...waiting, packedObject(2, base)])).rejects.toThrow('unpacks to too much');
  await expect(read(Array<Buffer>(5).fill(packedObject(7, Buffer.alloc(1_000), id)))).rejects.toThrow('too much');
  expect((await read([...waiting.slice(3), packedObject(2, base)])).size).toBe(2);
});

test('folders with longer paths than an id may be are told of, and not looked into', async () => {
  const long = 'x'.repeat(300);
  const deep = `${long}/${long}/${long}`;
  put({ [`${deep}/a.md`]: 'a', [`${deep}/b.md`]: 'b', [`${long}/b.md`]: 'b' });
  const changes = await list(open({ pattern: '**/*.md' }));
  expect(idsOf(changes)).toEqual([`${long}/b.md`]);
  expect(changes.filter(({ type }) => type === 'unreadable')).toHaveLength(1);
  expect(changes.at(-1)).toMatchObject({ isWhole: false });
});

test('packs that are cut or made up are refused', async () => {
  const body = Buffer.from('100644 a\0'.padEnd(29, 'x'));
  const pack = packOf([packedObject(2, body), packedObject(2, Buffer.alloc(100_000, 1))]);
  expect((await readPack(pack, 'sha1')).size).toBe(2);
  for (let at = 0; at < pack.length - 20; at += 7)
    await expect(readPack(pack.subarray(0, at), 'sha1')).rejects.toThrow();
  const bomb = packedObject(2, Buffer.alloc(1_000));
  bomb[0] = 0x21;
  bomb[1] = 0;
  await expect(readPack(packOf([bomb]), 'sha1')).rejects.toThrow();
  await expect(readPack(packOf([packedObject(5, body)]), 'sha1')).rejects.toThrow(BadPack);
  expect([...readTree(body, 'sha1')]).toMatchObject([{ kind: 'file', name: 'a' }]);
  expect(() => [...readTree(body.subarray(0, 20), 'sha1')]).toThrow(BadPack);
});
