import { entries } from './catalogue-entries.ts';
import type { CatalogueWeights, Entry, KeyValueLayers, UnverifiedFact, WeightsKind } from './catalogue-entry.ts';

const GB = 1_000_000_000;

/** Minimum memory beside weights and context, for buffers and the process. */
const MIN_OVERHEAD_BYTES = 0.4 * GB;
/** Keys and values are kept as numbers of 16 bits. */
const BYTES_PER_VALUE = 2;
/** What windowed layers keep beyond their window: the tokens of a step. Source: llama.cpp, `n_ubatch`. */
const STEP_TOKENS = 512;
const SHORT_CONTEXT = 8_192;
const LONG_CONTEXT = 32_768;

const tokenBytes = ({ layers, heads, size }: KeyValueLayers): number => 2 * layers * heads * size * BYTES_PER_VALUE;

/** Of models without known layers that are no decoders: buffers of a text. */
const BUFFER_SHARE = 1 / 40_000;
/** The most bytes that a token takes of decoders with grouped attention: 64 layers of 8 heads of 128 numbers. */
const MAX_TOKEN_BYTES = 262_144;

/**
 * A guess of the bytes that a token of context takes of a decoder of so many bytes, of about four bits a weight. It grows with the root
 * of the size, as layers and their width grow together; of the models of the list whose layers are known it is right by a factor of two.
 */
const guessedTokenBytes = (bytes: number): number => Math.min(MAX_TOKEN_BYTES, 3.2 * Math.sqrt(bytes));

/** Memory of a context, in bytes; where the layers are not known a guess by the size of the model. */
export function contextBytes(
  { attention, bytes, kind }: Pick<Entry, 'attention' | 'bytes' | 'kind'>,
  tokens: number,
): number {
  if (!attention) return Math.ceil(tokens * (kind === 'chat' ? guessedTokenBytes(bytes) : bytes * BUFFER_SHARE));
  const { full, windowed } = attention;
  const inWindow = windowed ? tokenBytes(windowed) * Math.min(tokens, windowed.window + STEP_TOKENS) : 0;
  return tokenBytes(full) * tokens + inWindow;
}

const memoryOf = (entry: Entry, tokens: number): number =>
  entry.bytes + MIN_OVERHEAD_BYTES + contextBytes(entry, Math.min(tokens, entry.contextLength));

/** The facts of a file that nobody could look up: without them it cannot be told whether what comes is what was meant. */
const unverifiedFacts = ({
  knownName = true,
  revision,
  sha256,
  exactSize = sha256 !== undefined,
}: Entry): readonly UnverifiedFact[] => [
  ...(knownName ? [] : (['name'] as const)),
  ...(revision === undefined ? (['revision'] as const) : []),
  ...(exactSize ? [] : (['size'] as const)),
  ...(sha256 === undefined ? (['sha256'] as const) : []),
];

const factNames: Readonly<Record<UnverifiedFact, string>> = {
  name: 'file name',
  revision: 'revision',
  size: 'size',
  sha256: 'SHA-256',
};

/** The facts that could not be verified, as a list for people: `revision, size`. Empty where all were. */
export const unverifiedText = ({ unverified }: Pick<CatalogueWeights, 'unverified'>): string =>
  unverified.map((fact) => factNames[fact]).join(', ');

function toWeights(entry: Entry): CatalogueWeights {
  const { attention: _attention, exactSize: _exactSize, knownName: _knownName, ...facts } = entry;
  return {
    revision: 'main',
    sha256: null,
    licenceNote: null,
    converter: null,
    activeShare: 1,
    ...facts,
    unverified: unverifiedFacts(entry),
    memoryBytes: memoryOf(entry, SHORT_CONTEXT),
    memory32kBytes: memoryOf(entry, LONG_CONTEXT),
  };
}

/** Models that can be downloaded by name. */
export const weightsCatalogue: readonly CatalogueWeights[] = entries.map(toWeights);

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
