import { entries } from './catalogue-entries.ts';
import type { CatalogueWeights, WeightsKind } from './catalogue-entry.ts';

const GB = 1_000_000_000;

/** Keys, values and working memory beside the weights: more for larger models, never less than this. */
const MIN_BESIDE = 0.4 * GB;
const memoryOf = (bytes: number) => bytes + Math.max(MIN_BESIDE, 0.25 * bytes);

/** Models that are known by name. */
export const weightsCatalogue: readonly CatalogueWeights[] = entries.map((entry) => ({
  revision: 'main',
  sha256: null,
  licenceNote: null,
  ...entry,
  memoryBytes: memoryOf(entry.bytes),
}));

/** What people call languages and kinds when they search. */
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

/** Entries in whose words all the words of `text` stand; all of them for an empty text. */
export function searchWeights(text: string): readonly CatalogueWeights[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return weightsCatalogue.filter(({ id, title, about, kind, family, languages, repository }) => {
    const known = [...languages.map((code) => languageNames[code] ?? ''), kindNames[kind]];
    const all = [id, title, about.ko, about.en, kind, family, repository, ...languages, ...known]
      .join(' ')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
