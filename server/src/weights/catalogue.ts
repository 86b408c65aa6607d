import { entries } from './catalogue-entries.ts';
import type { CatalogueWeights, WeightsKind } from './catalogue-entry.ts';

const GB = 1_000_000_000;

/** Minimum memory beside the weights, for keys, values and buffers; larger models need more. */
const MIN_OVERHEAD_BYTES = 0.4 * GB;
const estimateMemory = (bytes: number) => bytes + Math.max(MIN_OVERHEAD_BYTES, 0.25 * bytes);

/** Models that can be downloaded by name. */
export const weightsCatalogue: readonly CatalogueWeights[] = entries.map((entry) => ({
  revision: 'main',
  sha256: null,
  licenceNote: null,
  ...entry,
  memoryBytes: estimateMemory(entry.bytes),
}));

/** Names of languages for searches. */
const languageNames: Readonly<Record<string, string>> = {
  ko: 'Korean 한국어',
  en: 'English 영어',
  zh: 'Chinese 중국어',
  ja: 'Japanese 일본어',
  de: 'German 독일어',
  fr: 'French 프랑스어',
  es: 'Spanish 스페인어',
};
const kindNames: Readonly<Record<WeightsKind, string>> = {
  chat: '대화',
  embedding: '임베딩',
  rerank: 'reranker 재순위',
};

/** Entries that contain all words of `text`; all entries for an empty text. */
export function searchWeights(text: string): readonly CatalogueWeights[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return weightsCatalogue.filter(({ id, title, about, kind, family, languages, repository }) => {
    const synonyms = [...languages.map((code) => languageNames[code] ?? ''), kindNames[kind]];
    const searchable = [id, title, about.ko, about.en, kind, family, repository, ...languages, ...synonyms]
      .join(' ')
      .toLowerCase();
    return words.every((word) => searchable.includes(word));
  });
}
