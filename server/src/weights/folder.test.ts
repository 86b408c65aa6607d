import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModelFolder } from './folder.ts';
import { writeOrigin } from './origin.ts';
import { modelBytes, readExtent, writeModel } from '../../test/support/model-store.ts';

describe('the folder of models', () => {
  let root: string;
  let folder: string;
  /** Now, in milliseconds since 1970: a test lets time go by itself. */
  let now: number;
  let models: ReturnType<typeof createModelFolder>;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
    folder = join(root, 'models');
    now = Date.now();
    models = createModelFolder({ folder, readExtent, now: () => now });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** As if the last write to the file had been so many seconds ago. */
  const age = (path: string, seconds: number) => utimesSync(path, now / 1000 - seconds, now / 1000 - seconds);
  const put = (name: string, bytes: Buffer, seconds = 60) => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    writeFileSync(path, bytes);
    age(path, seconds);
    return path;
  };
  const only = async () => {
    const all = await models.scan();
    expect(all).toHaveLength(1);
    return all[0];
  };
  const whole = modelBytes();

  it('is empty where there is none', async () => {
    expect(await models.scan()).toEqual([]);
  });

  it('gives each model an id of its name, split ones as one', async () => {
    put('Qwen3 4B (Q4).GGUF', whole);
    for (const part of [1, 2, 3]) put(`big-0000${part}-of-00003.gguf`, whole);
    put('notes.txt', whole);
    expect((await models.scan()).map(({ id, state, bytes }) => [id, state, bytes])).toEqual([
      ['qwen3-4b-q4-', 'ready', whole.length],
      ['big-00001-of-00003', 'ready', 3 * whole.length],
    ]);
  });

  it('takes names of any script, and no hidden files', async () => {
    for (const name of ['스크립트 모델 (테스트).gguf', '한국어 모델.gguf', '.hidden.gguf', '._한국어 모델.gguf'])
      put(name, whole);
    expect((await models.scan()).map(({ id, state }) => [id, state])).toEqual([
      ['스크립트-모델-테스트-', 'ready'],
      ['한국어-모델', 'ready'],
    ]);
  });

  it('tells which of several files has an id', async () => {
    for (const name of ['A (1).gguf', 'a-1-.gguf', 'a [1].gguf']) put(name, whole);
    const reason = 'The file a-1-.gguf has the id a-1- already; give one of them another name.';
    expect((await models.scan()).map(({ id, state, reason: why }) => [id, state, why])).toEqual([
      ['A (1).gguf', 'broken', reason],
      ['a [1].gguf', 'broken', reason],
      ['a-1-', 'ready', null],
    ]);
    rmSync(join(folder, 'a-1-.gguf'));
    expect((await models.scan()).map(({ id, state }) => [id, state])).toEqual([
      ['a-1-', 'ready'],
      ['a [1].gguf', 'broken'],
    ]);
  });

  it('does not have a file that somebody is copying, and has it by itself once that is whole', async () => {
    const path = put('slow.gguf', whole.subarray(0, 40), 0);
    expect(await only()).toMatchObject({ state: 'arriving', totalBytes: null });
    for (const length of [200, 1_000, whole.length - 1]) {
      put('slow.gguf', whole.subarray(0, length), 0);
      expect(await only()).toMatchObject({ state: 'arriving', bytes: length });
      now += 1_000;
    }
    expect(await only()).toMatchObject({
      totalBytes: expect.any(Number) as number,
      reason: expect.stringMatching(/bytes are here/) as string,
    });
    appendFileSync(path, whole.subarray(whole.length - 1));
    age(path, 0);
    expect(await only()).toMatchObject({ state: 'arriving' });
    now += 3_000;
    expect(await only()).toMatchObject({ state: 'ready', reason: null });
  });

  it('takes no half file for whole, however long nobody writes to it', async () => {
    put('half.gguf', whole.subarray(0, whole.length - 500), 3_600);
    expect(await only()).toMatchObject({
      state: 'broken',
      reason: expect.stringMatching(/incomplete: only [\d,]+ of its/) as string,
    });
    put('half.gguf', whole.subarray(0, 30), 3_600);
    // It was seen to change, whatever its clock says.
    expect(await only()).toMatchObject({ state: 'arriving' });
    now += 31_000;
    expect(await only()).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining('ends within its header') as string,
    });
  });

  it('waits for a file of full size that is still written to', async () => {
    const path = put('sparse.gguf', whole, 0);
    for (let i = 0; i < 4; i++) {
      expect(await only()).toMatchObject({ state: 'arriving' });
      now += 1_000;
      age(path, 0);
    }
    await only();
    now += 2_000;
    expect(await only()).toMatchObject({ state: 'ready' });
  });

  it('has a file at once that was moved there, and one that it got from us', async () => {
    put('moved.gguf', whole, 3_600);
    expect(await only()).toMatchObject({ state: 'ready', origin: null });
    rmSync(join(folder, 'moved.gguf'));
    await writeOrigin(folder, 'ours.gguf', {
      from: 'https://hub/ours.gguf',
      sha256: null,
      check: 'none',
      bytes: whole.length,
    });
    put('ours.gguf', whole, 0);
    expect(await only()).toMatchObject({ state: 'ready', origin: { check: 'none' } });
  });

  it('has the next version at once when it is moved over the last', async () => {
    put('a.gguf', whole);
    await only();
    const next = put('next.part', Buffer.concat([whole, Buffer.alloc(8)]));
    renameSync(next, join(folder, 'a.gguf'));
    expect(await only()).toMatchObject({ state: 'ready', bytes: whole.length + 8 });
  });

  it('does not take the note beside a file for that of another', async () => {
    await writeOrigin(folder, 'ours.gguf', {
      from: 'https://hub/ours.gguf',
      sha256: 'x',
      check: 'hub',
      bytes: whole.length,
    });
    put('ours.gguf', Buffer.concat([whole, Buffer.alloc(1)]));
    expect(await only()).toMatchObject({ origin: null });
  });

  it('has a model in several files when the last of them is there', async () => {
    put('big-00001-of-00002.gguf', whole, 5);
    expect(await only()).toMatchObject({
      id: 'big-00001-of-00002',
      state: 'arriving',
      reason: expect.stringContaining('missing: 2') as string,
    });
    now += 60_000;
    expect(await only()).toMatchObject({ state: 'broken' });
    put('big-00002-of-00002.gguf', whole.subarray(0, 100), 0);
    expect(await only()).toMatchObject({ state: 'arriving' });
    put('big-00002-of-00002.gguf', whole, 0);
    await only();
    now += 3_000;
    expect(await only()).toMatchObject({
      state: 'ready',
      files: ['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf'],
    });
  });

  it('says what a file is not', async () => {
    put('page.gguf', Buffer.from('<html>login</html>'));
    expect(await only()).toMatchObject({ state: 'broken', reason: 'The file is no GGUF file.' });
  });

  it('reads headers again only of files that changed', async () => {
    let read = 0;
    models = createModelFolder({ folder, now: () => now, readExtent: (path) => (read++, readExtent(path)) });
    put('a.gguf', whole);
    for (let i = 0; i < 3; i++) await models.scan();
    expect(read).toBe(1);
    put('a.gguf', whole, 30);
    await models.scan();
    expect(read).toBe(2);
    expect(readdirSync(folder)).toEqual(['a.gguf']);
    writeModel(folder, 'b.gguf');
    expect(await models.scan()).toHaveLength(2);
  });
});
