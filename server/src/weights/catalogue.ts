import { entries } from './catalogue-entries.ts';

/** What a model is for. */
export type WeightsKind = 'chat' | 'embedding' | 'rerank';

/** A sentence for people in the languages of the console. */
export interface Words {
  readonly ko: string;
  readonly en: string;
}

/** A model that can be downloaded by its name. */
export interface CatalogueWeights {
  /** Short name for commands; the file keeps its own. */
  readonly id: string;
  /** Name of the product, the same in every language. */
  readonly title: string;
  /** What it is good for, in a sentence. */
  readonly about: Words;
  readonly kind: WeightsKind;
  /** Repository and file on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  readonly file: string;
  readonly revision: string;
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
  /** What a person must know of the licence before the model is used; null for one that leaves all free. */
  readonly licenceNote: Words | null;
  /** About so many bytes; the download says exactly. */
  readonly bytes: number;
  /** About so much memory when it is loaded with a context of 8,192 tokens. */
  readonly memoryBytes: number;
  /** SHA-256 of the file; null: the one that the hub itself gives (`X-Linked-Etag`). */
  readonly sha256: string | null;
  /** Family of the chat template. */
  readonly family: string;
  /** Tokens of prompt and reply together that it was made for. */
  readonly contextLength: number;
  readonly languages: readonly string[];
}

const GB = 1_000_000_000;

/** Keys, values and working memory beside the weights: more for larger models, never less than this. */
const LEAST_BESIDE = 0.4 * GB;
const memoryOf = (bytes: number) => bytes + Math.max(LEAST_BESIDE, 0.25 * bytes);

type Optional = Pick<CatalogueWeights, 'revision' | 'sha256' | 'licenceNote'>;
/** What must be written down of a model. */
export type Entry = Omit<CatalogueWeights, keyof Optional | 'memoryBytes'> & Partial<Optional>;

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
