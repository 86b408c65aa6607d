import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { simpleHeader } from '../test/gguf-header.ts';
import { createLocalFiles } from './files.ts';

const GIB = 1024 ** 3;
const chat = {
  'general.architecture': 'qwen3',
  'general.name': 'Small Qwen',
  'qwen3.context_length': 40_960,
  'qwen3.block_count': 4,
  'qwen3.embedding_length': 64,
  'qwen3.attention.head_count': 4,
  'qwen3.attention.head_count_kv': 2,
};

describe('model files', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (id: string, content: Buffer | Record<string, string | number | boolean>) => {
    const path = join(folder, `${id}.gguf`);
    writeFileSync(path, Buffer.isBuffer(content) ? content : simpleHeader(content));
    return { id, path };
  };
  const settings = { memoryBudgetBytes: 8 * GIB, threads: null, contextLength: null, parallel: null };
  const open = () => createLocalFiles(settings, { cores: 4, memoryBytes: 16 * GIB });

  it('are told apart by their headers', async () => {
    const files = open();
    await files.update([
      write('plain', chat),
      write('thinker', {
        ...chat,
        'tokenizer.chat_template': '{% if tools %}{{ tools }}{% endif %}{% if enable_thinking %}x{% endif %}',
      }),
      write('vectors', { 'general.architecture': 'bert', 'bert.context_length': 512, 'bert.embedding_length': 384 }),
      write('judge', { ...chat, 'qwen3.pooling_type': 4 }),
      write('my-reranker', { ...chat, 'general.name': 'Old conversion' }),
    ]);
    const byId = Object.fromEntries(files.models().map((model) => [model.id, model]));
    expect(byId['plain']).toMatchObject({ kind: 'chat', contextLength: 32_768, tools: false, thinking: 'none' });
    expect(byId['plain']?.description).toContain('Small Qwen');
    expect(byId['thinker']).toMatchObject({ kind: 'chat', tools: true, thinking: 'optional' });
    expect(byId['vectors']).toMatchObject({ kind: 'embedding', contextLength: 512, dimensions: 384 });
    expect([byId['judge']?.kind, byId['my-reranker']?.kind]).toEqual(['rerank', 'rerank']);
    // 4 layers, 2 heads of 16 for keys and for values, 2 bytes each.
    expect(files.find('plain')).toMatchObject({ trainContext: 40_960, tokenBytes: 4 * 2 * 32 * 2 });
  });

  it('that are damaged stay in the list and say why', async () => {
    const files = open();
    await files.update([write('torn', simpleHeader(chat).subarray(0, 50)), write('picture', Buffer.from('PNG…'))]);
    expect(files.models().map(({ id }) => id)).toEqual(['torn', 'picture']);
    expect(() => files.find('torn')).toThrow(/torn cannot be used: The file ends within its header/);
    expect(() => files.find('picture')).toThrow(/no GGUF file/);
    expect(() => files.find('none')).toThrow(/no model none/);
  });

  it('that changed or went are named; the others are not read again', async () => {
    const files = open();
    const [a, b, c] = [write('a', chat), write('b', chat), write('c', chat)];
    expect(await files.update([a, b, c])).toEqual([]);
    const before = files.find('a');
    write('b', { ...chat, 'general.name': 'Another name' });
    rmSync(c.path);
    expect(await files.update([a, b, c])).toEqual(['b', 'c']);
    expect(files.find('a')).toBe(before);
    expect(await files.update([b])).toEqual(['a']);
    expect(files.models().map(({ id }) => id)).toEqual(['b']);
  });

  it('that changed since they were taken in are not opened', async () => {
    const files = open();
    const a = write('a', chat);
    await files.update([a]);
    expect(files.findUnchanged('a')).toBe(files.find('a'));
    write('a', { ...chat, 'general.name': 'Another name' });
    expect(() => files.findUnchanged('a')).toThrow(/being replaced/);
    rmSync(a.path);
    expect(() => files.findUnchanged('a')).toThrow(/no model a/);
  });
});
