import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { array, f32, headerOf, pair, text, u32, u64 } from '../test/gguf-header.ts';
import { readGgufHeader } from './gguf-header.ts';

const folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const read = (bytes: Buffer) => {
  const path = join(folder, `${count++}.gguf`);
  writeFileSync(path, bytes);
  return readGgufHeader(path);
};

const vocabulary = Array.from({ length: 200_000 }, (_, i) => text(`단어${i}`));
const whole = headerOf([
  pair('general.architecture', 8, text('qwen3')),
  pair('general.name', 8, text('작은 모델')),
  pair('qwen3.context_length', 4, u32(40_960)),
  pair('qwen3.attention.head_count_kv', 9, array(4, [u32(2), u32(4)])),
  pair('tokenizer.ggml.tokens', 9, array(8, vocabulary)),
  pair(
    'tokenizer.ggml.scores',
    9,
    array(
      6,
      Array.from({ length: 200_000 }, () => f32(0.5)),
    ),
  ),
  pair('tokenizer.chat_template', 8, text('{{ messages }}')),
  pair('tokenizer.chat_template.tool_use', 8, text('{{ tools }}')),
  pair('x.flag', 7, Buffer.of(1)),
]);

describe('the header of a GGUF file', () => {
  it('is read without the vocabulary, whatever stands before and after it', async () => {
    const header = await read(Buffer.concat([whole, Buffer.alloc(64)]));
    expect(JSON.parse(JSON.stringify(header))).toEqual({
      general: { architecture: 'qwen3', name: '작은 모델' },
      qwen3: { context_length: 40_960, attention: { head_count_kv: [2, 4] } },
      tokenizer: {
        ggml: { tokens: [], scores: [] },
        chat_template: '{{ messages }}',
        'chat_template.tool_use': '{{ tools }}',
      },
      x: { flag: true },
    });
  });

  it('of a damaged or foreign file is refused', async () => {
    await expect(read(Buffer.from('PK\u0003\u0004 and so on'))).rejects.toThrow('no GGUF file');
    await expect(read(Buffer.alloc(0))).rejects.toThrow('ends within');
    await expect(read(whole.subarray(0, 60))).rejects.toThrow('ends within');
    await expect(read(whole.subarray(0, whole.length - 3))).rejects.toThrow('ends within');
    await expect(read(headerOf([], Buffer.concat([Buffer.from('GGUF'), u32(1)])))).rejects.toThrow('version 1');
    await expect(read(headerOf([pair('a', 99, u32(0))]))).rejects.toThrow('unknown type 99');
    const long = Buffer.concat([text('a'), u32(8), u64(2 ** 40)]);
    await expect(read(headerOf([long]))).rejects.toThrow('too long');
  });

  it('cannot reach what objects inherit', async () => {
    const header = await read(
      headerOf([pair('__proto__.polluted', 7, Buffer.of(1)), pair('constructor.x', 4, u32(1))]),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(header)).toEqual(['__proto__', 'constructor']);
  });
});
