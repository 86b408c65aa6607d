import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelName, isSafeName, modelId } from './names.ts';

describe('the id of a file', () => {
  it.each([
    ['Qwen3-4B-Q4_K_M.gguf', 'qwen3-4b-q4_k_m'],
    ['스크립트 모델 (테스트).gguf', '스크립트-모델-테스트-'],
    ['한국어 모델.GGUF', '한국어-모델'],
    ['日本語モデル.gguf', '日本語モデル'],
    ['Модель v2.gguf', 'модель-v2'],
  ])('keeps the letters of %s', (name, id) => {
    expect(modelId(name)).toBe(id);
    // As one system writes the letters, or as another does.
    expect(modelId(name.normalize('NFD'))).toBe(id);
  });

  it('is one of its own where there is neither letter nor digit', () => {
    const ids = ['🙂.gguf', '☃.gguf', '- -.gguf'].map(modelId);
    for (const id of ids) expect(id).toMatch(/^model-[0-9a-f]{8}$/);
    expect(new Set(ids).size).toBe(3);
    expect(modelId('🙂.gguf')).toBe(ids[0]);
  });

  it('has no blanks, separators or capitals, and stays what it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const id = modelId(`${name}.gguf`);
        expect(id).toMatch(/^[\p{L}\p{M}\p{N}._-]+$/u);
        expect(id).toMatch(/[\p{L}\p{N}]/u);
        expect(modelId(`${id}.gguf`)).toBe(id);
      }),
    );
  });
});

describe('a name of a model file', () => {
  it('is no hidden one', () => {
    expect(isModelName('a.GGUF')).toBe(true);
    for (const name of ['.a.gguf', '._a.gguf', '.gguf', 'a.gguf.part', 'gguf']) expect(isModelName(name)).toBe(false);
  });

  it.each([['한국어 모델 (Q4) [1].gguf'], ['a+b, c=d & e.gguf'], ['1.GGUF'], [`${'가'.repeat(65)}.gguf`]])(
    'may come from elsewhere: %s',
    (name) => expect(isSafeName(name)).toBe(true),
  );

  it.each([
    ['../a.gguf'],
    ['a/../b.gguf'],
    ['a\\b.gguf'],
    ['.a.gguf'],
    ['..gguf'],
    ['.gguf'],
    ['a\0.gguf'],
    ['a\n.gguf'],
    ['a\u2028.gguf'],
    ['가\u202efugg.gguf'],
    ['C:a.gguf'],
    ['a.gguf/'],
    ['a.bin'],
    [`${'가'.repeat(66)}.gguf`],
    [`${'a'.repeat(196)}.gguf`],
  ])('may not come from elsewhere: %j', (name) => expect(isSafeName(name)).toBe(false));

  it('never leads out of its folder', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('..', '.', '/', '\\', 'a', '가', ' ', '\0', ':', '%2f'))
          .map((parts) => parts.join('')),
        (name) => {
          const safe = isSafeName(`${name}.gguf`);
          if (/[/\\:\0]/.test(name) || /^[.\s%]|^$/.test(name)) expect(safe).toBe(false);
          else expect(safe).toBe(true);
        },
      ),
    );
  });
});
