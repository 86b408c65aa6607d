import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importModel, listModelFolder, removeModel } from './index.ts';

describe('the folder of models', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
    folder = join(root, 'models');
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const write = (name: string, text = name) => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };

  it('is empty where there is none', async () => {
    expect(await listModelFolder(folder)).toEqual([]);
  });

  it('takes files in under an id of their name, split ones whole', async () => {
    expect(await importModel(folder, write('Qwen3 4B (Q4).GGUF'))).toBe('qwen3-4b-q4-');
    write('big-00002-of-00002.gguf');
    expect(await importModel(folder, write('big-00001-of-00002.gguf'))).toBe('big-00001-of-00002');
    const listed = await listModelFolder(folder);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(['big-00001-of-00002', 'qwen3-4b-q4-']);
    expect(readdirSync(folder)).toHaveLength(3);
    const own = listed[0]?.path ?? '';
    expect(await importModel(folder, own)).toBe(listed[0]?.id);
  });

  it('replaces a file by one of the same name, and refuses what is none', async () => {
    await importModel(folder, write('a.gguf', 'old'));
    await importModel(folder, write('a.gguf', 'new'));
    expect(readFileSync(join(folder, 'a.gguf'), 'utf8')).toBe('new');
    await expect(importModel(folder, write('a.bin'))).rejects.toThrow('no file with the ending .gguf');
    await expect(importModel(folder, join(root, 'none.gguf'))).rejects.toMatchObject({ code: 'not_found' });
    expect(readdirSync(folder)).toEqual(['a.gguf']);
  });

  it('lets go of a model with all its parts', async () => {
    write('big-00002-of-00002.gguf');
    const id = await importModel(folder, write('big-00001-of-00002.gguf'));
    await removeModel(folder, id);
    expect(readdirSync(folder)).toEqual([]);
    await expect(removeModel(folder, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
