import { describe, expect, it } from 'vitest';
import { searchWeights, weightsCatalogue } from './catalogue.ts';
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
    // A checksum is that of one version.
    if (entry.sha256 !== null) expect(entry.revision).not.toBe('main');
    expect(entry.bytes).toBeGreaterThan(50_000_000);
    expect(entry.memoryBytes).toBeGreaterThan(entry.bytes);
    expect(entry.contextLength).toBeGreaterThanOrEqual(512);
    expect(entry.title).toMatch(/^[A-Za-z0-9][A-Za-z0-9 .-]{3,30}$/);
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
});
