import { describe, expect, it } from 'vitest';
import { entries } from './catalogue-entries.ts';
import { contextBytes, searchWeights, weightsCatalogue } from './catalogue.ts';
import { findSources } from './download/source.ts';
import { modelId, partNames } from './names.ts';

/** Licences that leave all uses free, by the names that the hub has for them. */
const FREE = ['apache-2.0', 'mit'];

describe('the models to download', () => {
  it.each(weightsCatalogue.map((entry) => [entry.id, entry] as const))('%s is complete', (id, entry) => {
    expect(id).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(entry.repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(entry.file).toMatch(/^[A-Za-z0-9][\w.-]*\.gguf$/);
    expect(partNames(entry.file)).toEqual([entry.file]);
    expect(entry.revision).toMatch(/^(?:main|[0-9a-f]{40})$/);
    expect(entry.sha256 ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
    // It is pinned wholly, or says which facts are missing.
    const isPinned = entry.revision !== 'main' && entry.sha256 !== null;
    expect(entry.unverified.includes('revision')).toBe(entry.revision === 'main');
    expect(entry.unverified.includes('sha256')).toBe(entry.sha256 === null);
    if (isPinned) expect(entry.unverified).toEqual([]);
    // A size that was only estimated is round.
    if (!entry.unverified.includes('size')) expect(entry.bytes % 10_000_000).not.toBe(0);
    expect(entry.memory32kBytes).toBeGreaterThanOrEqual(entry.memoryBytes);
    expect(entry.activeShare).toBeGreaterThan(0);
    expect(entry.activeShare).toBeLessThanOrEqual(1);
    expect(entry.bytes).toBeGreaterThan(50_000_000);
    expect(entry.memoryBytes).toBeGreaterThan(entry.bytes);
    expect(entry.contextLength).toBeGreaterThanOrEqual(512);
    expect(entry.title).toMatch(/^[A-Za-z0-9][A-Za-z0-9 .:-]{3,30}$/);
    expect(entry.languages.every((language) => /^[a-z]{2}$/.test(language))).toBe(true);
    expect(FREE.includes(entry.licence)).toBe(entry.licenceNote === null);
    for (const words of [entry.about, entry.licenceNote]) {
      if (words === null) continue;
      expect(words.ko).toMatch(/[가-힣].*[.]$/);
      expect(words.en).toMatch(/^[A-Z][^가-힣]*[.]$/);
    }
    expect(findSources(id, 'https://hub.example')[0]?.url).toBe(
      `https://hub.example/${entry.repository}/resolve/${entry.revision}/${entry.file}`,
    );
  });

  it('have names and files of their own', () => {
    for (const of of ['id', 'file'] as const) {
      const all = weightsCatalogue.map((entry) => modelId(entry[of]));
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('say whether their licence allows commercial use', () => {
    const [exaone] = searchWeights('exaone');
    expect(exaone?.licenceNote?.en).toContain('research and education only');
    expect(exaone?.licenceNote?.ko).toContain('연구와 교육');
  });

  it('are found by the words of both languages', () => {
    const ids = (text: string) => searchWeights(text).map(({ id }) => id);
    expect(ids('한국어 임베딩')).toEqual(ids('Korean embedding'));
    expect(ids('한국어 임베딩')).toContain('bge-m3');
    expect(ids('추론 도구')).toContain('qwen3-4b');
    expect(ids('재순위')).toEqual(ids('rerank'));
    expect(ids('')).toHaveLength(weightsCatalogue.length);
  });

  it('have something for Korean of every kind', () => {
    for (const kind of ['chat', 'embedding', 'rerank']) expect(searchWeights(`${kind} ko`).length).toBeGreaterThan(1);
  });

  it.each([
    // 8 layers of 4 heads of 256 numbers, keys and values of 2 bytes each: 32,768 bytes a token.
    ['qwen3.5-4b', 8_192, 32_768 * 8_192],
    // 8 layers of 1 head of 512 numbers: 16,384 bytes a token; 40 layers of 8 heads of 256 for the last 1,024 tokens and a step of 512.
    ['gemma-4-12b', 32_768, 16_384 * 32_768 + 327_680 * 1_536],
    // 12 layers of 8 heads of 64 numbers: 24,576 bytes a token, and as much for the last 128 and a step.
    ['gpt-oss-20b', 8_192, 24_576 * (8_192 + 640)],
  ])('the memory of %s with %i tokens is that of its layers', (id, tokens, expected) => {
    const entry = entries.find((one) => one.id === id);
    expect(entry && contextBytes(entry, tokens)).toBe(expected);
  });

  it.each(['exaone-4.0-1.2b', 'midm-2.0-mini', 'llama-3.2-3b', 'phi-4-mini', 'qwen3-4b', 'qwen3-8b'])(
    'the memory of %s for a context is guessed by its size within a factor of two',
    (id) => {
      const entry = entries.find((one) => one.id === id);
      if (entry?.attention === undefined) throw new Error(`the layers of ${id} are not known`);
      const { attention: _attention, ...unknown } = entry;
      const ratio = contextBytes(unknown, 8_192) / contextBytes(entry, 8_192);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    },
  );

  it('are pinned but for those of which nobody publishes revision or checksum', () => {
    const loose = weightsCatalogue.filter(({ unverified }) => unverified.length > 0);
    expect(Object.fromEntries(loose.map(({ id, unverified }) => [id, unverified.join(' ')]))).toEqual({
      'midm-2.0-mini': 'revision size sha256',
      'midm-2.0-base': 'revision size sha256',
      'kanana-2-3b': 'revision sha256',
      'kanana-2-30b-a3b': 'revision size sha256',
      'solar-open-100b': 'revision size sha256',
      'kure-v1': 'revision size sha256',
      'bge-m3-ko': 'name revision size sha256',
    });
  });

  it('say who made a file that is not of the maker of the model', () => {
    const makers = ['Qwen', 'google', 'LGAI-EXAONE'];
    for (const { id, repository, converter } of weightsCatalogue) {
      const [owner = ''] = repository.split('/');
      expect(converter, id).toBe(makers.includes(owner) ? null : owner);
    }
  });

  it.each([
    ['Qwen 3.5', ['qwen3.5-0.8b', 'qwen3.5-2b', 'qwen3.5-4b', 'qwen3.5-9b', 'qwen3.6-35b-a3b']],
    ['Gemma 4', ['gemma-4-e2b', 'gemma-4-e4b', 'gemma-4-12b', 'gemma-4-26b-a4b', 'gemma-4-31b']],
    ['Korean chat', ['midm-2.0-mini', 'midm-2.0-base', 'kanana-2-3b', 'kanana-2-30b-a3b', 'solar-open-100b']],
    [
      'EXAONE and HyperCLOVA X',
      ['exaone-4.0-1.2b', 'exaone-4.5-33b', 'hyperclovax-seed-0.5b', 'hyperclovax-seed-1.5b'],
    ],
    ['embedding', ['bge-m3', 'kure-v1', 'bge-m3-ko', 'qwen3-embedding-0.6b', 'qwen3-embedding-4b']],
    ['reranking', ['bge-reranker-v2-m3', 'qwen3-reranker-0.6b']],
    ['thinking at three levels', ['gpt-oss-20b']],
  ])('are those of today: %s', (_what, ids) => {
    expect(weightsCatalogue.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});
