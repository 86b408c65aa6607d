import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalModel } from '../models/local.ts';
import type { LocalFacts } from './entry.ts';
import {
  catalogueOf,
  fakeRuntime,
  memoryBindings,
  modelBytes,
  openTestStore,
  writeModel,
} from '../../test/support/model-store.ts';
import type { FolderModel } from './folder.ts';
import { removeLeftovers } from './remove-files.ts';
import type { ModelStore, ModelStoreOptions } from './model-store.ts';

let root: string;
let folder: string;
let store: ModelStore;
const runtime = { now: fakeRuntime() };

const open = (more: Partial<ModelStoreOptions> = {}) => openTestStore({ folder, runtime: runtime.now, ...more });
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
  folder = join(root, 'models');
  runtime.now = fakeRuntime();
  store = open();
});
afterEach(async () => {
  await store.close();
  rmSync(root, { recursive: true });
});

const files = () => readdirSync(folder).filter((name) => name.endsWith('.gguf'));
const entry = async (id: string, of = store) => (await of.list()).find(({ localId }) => localId === id);
const facts = (id: string, kind: LocalModel['kind'] = 'chat') =>
  ({ model: { id, kind } as LocalModel, needsBytes: 5, problem: null, cause: null }) as const;

describe('import', () => {
  it('takes a model in under an id of its name, ready at once', async () => {
    expect(await store.import(writeModel(root, 'My Model (Q4).GGUF'))).toEqual({ id: 'my-model-q4-', already: false });
    expect(await entry('my-model-q4-')).toMatchObject({ state: 'ready', warning: null, origin: { check: 'import' } });
  });

  it('takes a model in several files whole or not at all', async () => {
    const first = writeModel(root, 'big-00001-of-00002.gguf');
    await expect(store.import(first)).rejects.toThrow('big-00002-of-00002.gguf is missing');
    const second = writeModel(root, 'big-00002-of-00002.gguf');
    expect(await store.import(second)).toMatchObject({ id: 'big-00001-of-00002' });
    expect(files()).toEqual(['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf']);
  });

  it.each<[string, Buffer, RegExp]>([
    ['no-gguf.gguf', Buffer.from('PK and so on'), /no GGUF file/],
    ['cut.gguf', modelBytes().subarray(0, 500), /incomplete: only 500 of/],
    ['torn.gguf', modelBytes().subarray(0, 20), /ends within its header/],
    ['model.bin', modelBytes(), /ending \.gguf/],
  ])('refuses %s and leaves nothing of it', async (name, bytes, reason) => {
    const path = join(root, name);
    writeFileSync(path, bytes);
    await expect(store.import(path)).rejects.toThrow(reason);
    await expect(store.import(join(root, 'none.gguf'))).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(folder)).toBe(false);
  });

  it('puts no file in the place of another unless by force, and knows what is there already', async () => {
    await store.import(writeModel(root, 'a.gguf', 1));
    const other = writeModel(root, 'a.gguf', 2);
    await expect(store.import(other)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--force') as string,
    });
    expect(readFileSync(join(folder, 'a.gguf')).equals(modelBytes(1))).toBe(true);
    expect(await store.import(other, { force: true })).toEqual({ id: 'a', already: false });
    expect(readFileSync(join(folder, 'a.gguf')).equals(modelBytes(2))).toBe(true);
    expect(await store.import(other)).toEqual({ id: 'a', already: true });
    expect(await store.import(join(folder, 'a.gguf'))).toEqual({ id: 'a', already: true });
    await expect(store.import(writeModel(root, 'A.gguf'))).rejects.toThrow('has the id a already');
  });

  it('takes an upload away from where it is, under the name that it is to have', async () => {
    const upload = writeModel(root, 'upload-17.gguf');
    const seen: number[] = [];
    await store.import(upload, { move: true, name: 'Named.gguf', onProgress: (bytes) => seen.push(bytes) });
    expect(files()).toEqual(['Named.gguf']);
    expect(existsSync(upload)).toBe(false);
    expect(seen.at(-1)).toBe(modelBytes().length);
    for (const name of ['../out.gguf', '.hidden.gguf', 'x.txt'])
      await expect(store.import(writeModel(root, 'again.gguf'), { name })).rejects.toMatchObject({
        code: 'invalid_request',
      });
  });

  it('takes the parts of a model one by one, as uploads come', async () => {
    for (const part of ['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf']) {
      const imported = await store.import(writeModel(root, 'upload'), { move: true, name: part });
      expect(imported).toEqual({ id: 'big-00001-of-00002', already: false });
      expect(await entry('big-00001-of-00002')).toMatchObject({
        state: part.includes('00002-of') ? 'ready' : 'arriving',
      });
    }
  });

  it('is ended by its signal, and leaves nothing', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(store.import(writeModel(root, 'a.gguf'), { signal: stop.signal })).rejects.toThrow('enough');
    expect(files()).toEqual([]);
    expect(readdirSync(join(folder, '.downloads'))).toEqual([]);
  });
});

describe('remove', () => {
  it('lets go of a model with all its parts and notes, by the name of any of them', async () => {
    for (const by of ['big-00001-of-00002', 'big-00002-of-00002', 'big-00002-of-00002.gguf']) {
      const first = writeModel(root, 'big-00001-of-00002.gguf');
      writeModel(root, 'big-00002-of-00002.gguf');
      await store.import(first);
      await store.remove(by);
      expect(files()).toEqual([]);
      expect(readdirSync(join(folder, '.downloads'))).toEqual([]);
    }
    await expect(store.remove('big-00001-of-00002')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('also takes parts without their first', async () => {
    mkdirSync(folder);
    writeModel(folder, 'big-00002-of-00003.gguf');
    await store.remove('big-00002-of-00003');
    expect(files()).toEqual([]);
  });

  it('refuses what serves an id, and says how to take that back', async () => {
    const bindings = memoryBindings();
    store = open({ bindings, catalogue: catalogueOf(['GOV', 'CONFIGURED'], { CONFIGURED: 'b' }) });
    await store.import(writeModel(root, 'a.gguf'));
    await store.import(writeModel(root, 'b.gguf'));
    await store.use({ catalogueId: 'GOV', localId: 'a' });
    expect((await entry('a'))?.boundTo).toEqual([{ catalogueId: 'GOV', by: 'command' }]);
    await expect(store.remove('a')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/a serves GOV.*"studio models unuse GOV".*--force/) as string,
    });
    await expect(store.remove('b')).rejects.toThrow(/CONFIGURED.*models\.CONFIGURED\.engines of the configuration/);
    expect(files()).toEqual(['a.gguf', 'b.gguf']);
    await store.remove('a', { force: true });
    await store.remove('b', { force: true });
    expect(files()).toEqual([]);
    expect(await bindings.list()).toEqual([]);
  });

  it('takes it out of memory first, and leaves one alone that answers requests', async () => {
    await store.import(writeModel(root, 'a.gguf'));
    runtime.now.set('a', 'loaded', { requests: 1 });
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'conflict' });
    expect(files()).toEqual(['a.gguf']);
    await store.remove('a', { force: true });
    expect(files()).toEqual([]);
    expect(runtime.now.asked.at(-1)).toBe('unload a by force');
  });

  it('refuses what is pinned, unless by force, which ends that too', async () => {
    await store.import(writeModel(root, 'a.gguf'));
    await store.pin('a', true);
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'conflict', reason: 'model_pinned' });
    const configured = open({ pinned: ['a'] });
    await store.pin('a', false);
    await expect(configured.remove('a')).rejects.toMatchObject({ reason: 'model_pinned' });
    await store.pin('a', true);
    await store.remove('a', { force: true });
    await store.import(writeModel(root, 'a.gguf'));
    expect(await entry('a')).toMatchObject({ pinned: false });
  });

  it('waits for the requests of a model to end', async () => {
    store = open({ timeoutMs: 10_000 });
    await store.import(writeModel(root, 'a.gguf'));
    runtime.now.set('a', 'loaded', { requests: 1 });
    const removed = store.remove('a');
    setTimeout(() => runtime.now.set('a', 'loaded'), 50);
    await removed;
    expect(files()).toEqual([]);
  });
});

describe('a file with the name of a model to download', () => {
  it('is another model with a name of its own', async () => {
    await store.import(writeModel(root, 'bge-m3.gguf'));
    const ids = (await store.list()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await entry('bge-m3')).toMatchObject({ id: 'bge-m3.gguf', state: 'ready', about: null });
    await store.remove('bge-m3');
    expect(files()).toEqual([]);
  });
});

describe('use', () => {
  it('binds an id to a model of its kind that can be used', async () => {
    const known = new Map<string, LocalFacts>([
      ['a', facts('a')],
      ['e', facts('e', 'embedding')],
      ['bad', { ...facts('bad'), problem: 'It has no tokenizer.' }],
    ]);
    store = open({ catalogue: catalogueOf(['GOV']), describe: () => Promise.resolve(known) });
    for (const name of ['a.gguf', 'e.gguf', 'bad.gguf']) await store.import(writeModel(root, name));
    await store.use({ catalogueId: 'GOV', localId: 'A' });
    expect(await store.bindings()).toEqual([{ catalogueId: 'GOV', localId: 'a' }]);
    await expect(store.use({ catalogueId: 'GOV', localId: 'e' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(store.use({ catalogueId: 'GOV', localId: 'none' })).rejects.toMatchObject({ code: 'not_found' });
    // A name that nobody had is that of the model itself; one of another file is not given away.
    await store.use({ catalogueId: 'new-name', localId: 'e' });
    expect(await store.bindings()).toContainEqual({ catalogueId: 'new-name', localId: 'e' });
    expect(await store.unuse('new-name')).toBe(true);
    await expect(store.use({ catalogueId: 'e', localId: 'a' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(store.use({ catalogueId: 'GOV', localId: 'bad' })).rejects.toThrow('no tokenizer');
    writeFileSync(join(folder, 'half.gguf'), modelBytes().subarray(0, 900));
    await expect(store.use({ catalogueId: 'GOV', localId: 'half' })).rejects.toThrow('still being written');
    expect(await store.unuse('GOV')).toBe(true);
    expect(await store.unuse('GOV')).toBe(false);
  });
});

describe('what a killed import left', () => {
  it('is removed after a day, and nothing else', async () => {
    const hidden = join(folder, '.downloads');
    mkdirSync(hidden, { recursive: true });
    for (const name of ['a.gguf.import', 'b.gguf.part', 'b.gguf.download.json.17-ab.new', 'b.gguf.origin.json'])
      writeFileSync(join(hidden, name), 'x');
    await removeLeftovers(folder, Date.now() + 23 * 3_600_000);
    expect(readdirSync(hidden)).toHaveLength(4);
    await removeLeftovers(folder, Date.now() + 25 * 3_600_000);
    expect(readdirSync(hidden)).toEqual(['b.gguf.origin.json', 'b.gguf.part']);
  });

  it('is looked for at each import, and when the service asks for it', async () => {
    await store.tidy();
    const hidden = join(folder, '.downloads');
    mkdirSync(hidden, { recursive: true });
    writeFileSync(join(hidden, 'young.gguf.import'), 'x');
    await store.import(writeModel(root, 'a.gguf'));
    expect(readdirSync(hidden)).toContain('young.gguf.import');
  });
});

describe('memory', () => {
  it('tells whether there was something to let go', async () => {
    await store.import(writeModel(root, 'a.gguf'));
    expect(await store.unload('a')).toBe(false);
    runtime.now.set('a', 'failed');
    expect(await store.unload('a')).toBe(false);
    runtime.now.set('a', 'loaded');
    expect(await store.unload('a')).toBe(true);
  });

  it('is told what to load and to let go', async () => {
    await store.import(writeModel(root, 'a.gguf'));
    await store.load('a', new AbortController().signal);
    await store.unload('a', { force: true });
    expect(runtime.now.asked).toEqual(['load a', 'unload a by force']);
    await expect(store.load('b', new AbortController().signal)).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(join(folder, 'half.gguf'), modelBytes().subarray(0, 900));
    await expect(store.load('half', new AbortController().signal)).rejects.toMatchObject({ code: 'conflict' });
    const old = Date.now() / 1000 - 600;
    utimesSync(join(folder, 'half.gguf'), old, old);
    await expect(open().load('half', new AbortController().signal)).rejects.toThrow('incomplete');
  });

  it('keeps what is pinned, as every process of the folder sees', async () => {
    await store.import(writeModel(root, 'a.gguf'));
    await store.import(writeModel(root, 'b.gguf'));
    await store.pin('a', true);
    const other = open({ pinned: ['b'] });
    expect(await entry('a', other)).toMatchObject({ pinned: true });
    await other.pin('a', false);
    expect(await entry('a')).toMatchObject({ pinned: false });
    expect(await entry('b', other)).toMatchObject({ pinned: true });
    await expect(other.pin('b', false)).rejects.toThrow('local_models.pinned');
    await expect(store.pin('c', true)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('pins no more than there is room for', async () => {
    for (const id of ['a', 'b', 'c']) await store.import(writeModel(root, `${id}.gguf`));
    const MIB = 1024 * 1024;
    const describe = (models: readonly FolderModel[]) =>
      Promise.resolve(new Map(models.map(({ id }) => [id, { ...facts(id, 'chat'), needsBytes: 100 * MIB }])));
    const small = open({ describe, budgetBytes: 250 * MIB, pinned: ['a', 'gone'] });
    await small.pin('b', true);
    await small.pin('b', true);
    await expect(small.pin('c', true)).rejects.toMatchObject({
      code: 'conflict',
      reason: 'model_memory',
      message: expect.stringMatching(
        /c needs about 100 MiB .* beside the pinned a, b, .* 200 MiB: .* 250 MiB/,
      ) as string,
    });
    expect(await entry('c', small)).toMatchObject({ pinned: false });
    await small.pin('b', false);
    await small.pin('c', true);
    await expect(open({ describe, budgetBytes: 50 * MIB }).pin('b', true)).rejects.toThrow('may use 50 MiB');
  });
});
