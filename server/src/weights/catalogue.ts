/** What a model is for. */
export type WeightsKind = 'chat' | 'embedding' | 'rerank';

/** A model that can be downloaded by its name. */
export interface CatalogueWeights {
  /** Short name for commands; the file keeps its own. */
  readonly id: string;
  readonly title: string;
  readonly kind: WeightsKind;
  /** Repository and file on the hub, or on a mirror with the hub's paths. */
  readonly repository: string;
  readonly file: string;
  readonly revision: string;
  /** Licence of the weights, by the name that their model card has. */
  readonly licence: string;
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

type Entry = Omit<CatalogueWeights, 'revision' | 'sha256' | 'memoryBytes'>;

// Sources: the model cards and file lists of the repositories.
const entries: readonly Entry[] = [
  {
    id: 'qwen3-0.6b',
    title: 'Qwen 3 0.6B: the smallest that thinks and calls tools',
    kind: 'chat',
    repository: 'Qwen/Qwen3-0.6B-GGUF',
    file: 'Qwen3-0.6B-Q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 0.64 * GB,
    family: 'qwen',
    contextLength: 40_960,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'qwen3-1.7b',
    title: 'Qwen 3 1.7B: small, thinks and calls tools',
    kind: 'chat',
    repository: 'Qwen/Qwen3-1.7B-GGUF',
    file: 'Qwen3-1.7B-Q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 1.83 * GB,
    family: 'qwen',
    contextLength: 40_960,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'qwen3-4b',
    title: 'Qwen 3 4B: good answers on a laptop',
    kind: 'chat',
    repository: 'Qwen/Qwen3-4B-GGUF',
    file: 'Qwen3-4B-Q4_K_M.gguf',
    licence: 'apache-2.0',
    bytes: 2.5 * GB,
    family: 'qwen',
    contextLength: 40_960,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'qwen3-8b',
    title: 'Qwen 3 8B: for 16 GB of memory and more',
    kind: 'chat',
    repository: 'Qwen/Qwen3-8B-GGUF',
    file: 'Qwen3-8B-Q4_K_M.gguf',
    licence: 'apache-2.0',
    bytes: 5.03 * GB,
    family: 'qwen',
    contextLength: 40_960,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'exaone-4.0-1.2b',
    title: 'EXAONE 4.0 1.2B: Korean and English, thinks on demand',
    kind: 'chat',
    repository: 'LGAI-EXAONE/EXAONE-4.0-1.2B-GGUF',
    file: 'EXAONE-4.0-1.2B-Q4_K_M.gguf',
    licence: 'exaone (not for commercial use)',
    bytes: 0.81 * GB,
    family: 'exaone',
    contextLength: 65_536,
    languages: ['ko', 'en', 'es'],
  },
  {
    id: 'gemma-3-1b',
    title: 'Gemma 3 1B: small and quick, without tools',
    kind: 'chat',
    repository: 'ggml-org/gemma-3-1b-it-GGUF',
    file: 'gemma-3-1b-it-Q4_K_M.gguf',
    licence: 'gemma',
    bytes: 0.81 * GB,
    family: 'gemma',
    contextLength: 32_768,
    languages: ['en', 'ko', 'ja', 'de', 'fr'],
  },
  {
    id: 'gemma-3-4b',
    title: 'Gemma 3 4B: many languages, without tools',
    kind: 'chat',
    repository: 'ggml-org/gemma-3-4b-it-GGUF',
    file: 'gemma-3-4b-it-Q4_K_M.gguf',
    licence: 'gemma',
    bytes: 2.49 * GB,
    family: 'gemma',
    contextLength: 131_072,
    languages: ['en', 'ko', 'ja', 'de', 'fr'],
  },
  {
    id: 'llama-3.2-3b',
    title: 'Llama 3.2 3B: English first, calls tools',
    kind: 'chat',
    repository: 'bartowski/Llama-3.2-3B-Instruct-GGUF',
    file: 'Llama-3.2-3B-Instruct-Q4_K_M.gguf',
    licence: 'llama3.2',
    bytes: 2.02 * GB,
    family: 'llama',
    contextLength: 131_072,
    languages: ['en', 'de', 'fr', 'es'],
  },
  {
    id: 'phi-4-mini',
    title: 'Phi 4 mini: 3.8B, calls tools',
    kind: 'chat',
    repository: 'bartowski/microsoft_Phi-4-mini-instruct-GGUF',
    file: 'microsoft_Phi-4-mini-instruct-Q4_K_M.gguf',
    licence: 'mit',
    bytes: 2.49 * GB,
    family: 'phi',
    contextLength: 131_072,
    languages: ['en', 'ko', 'ja', 'zh'],
  },
  {
    id: 'deepseek-r1-1.5b',
    title: 'DeepSeek R1 distilled into 1.5B: always thinks',
    kind: 'chat',
    repository: 'bartowski/DeepSeek-R1-Distill-Qwen-1.5B-GGUF',
    file: 'DeepSeek-R1-Distill-Qwen-1.5B-Q4_K_M.gguf',
    licence: 'mit',
    bytes: 1.12 * GB,
    family: 'deepseek',
    contextLength: 131_072,
    languages: ['en', 'zh'],
  },
  {
    id: 'gpt-oss-20b',
    title: 'gpt-oss 20B: thinks, calls tools; for 16 GB of memory and more',
    kind: 'chat',
    repository: 'ggml-org/gpt-oss-20b-GGUF',
    file: 'gpt-oss-20b-mxfp4.gguf',
    licence: 'apache-2.0',
    bytes: 12.1 * GB,
    family: 'gpt-oss',
    contextLength: 131_072,
    languages: ['en'],
  },
  {
    id: 'qwen3-embedding-0.6b',
    title: 'Qwen 3 Embedding 0.6B: vectors in many languages',
    kind: 'embedding',
    repository: 'Qwen/Qwen3-Embedding-0.6B-GGUF',
    file: 'Qwen3-Embedding-0.6B-Q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 0.64 * GB,
    family: 'qwen',
    contextLength: 32_768,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'bge-m3',
    title: 'BGE M3: vectors in a hundred languages',
    kind: 'embedding',
    repository: 'gpustack/bge-m3-GGUF',
    file: 'bge-m3-Q8_0.gguf',
    licence: 'mit',
    bytes: 0.63 * GB,
    family: 'bert',
    contextLength: 8_192,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'bge-reranker-v2-m3',
    title: 'BGE reranker v2 M3: orders passages in many languages',
    kind: 'rerank',
    repository: 'gpustack/bge-reranker-v2-m3-GGUF',
    file: 'bge-reranker-v2-m3-Q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 0.64 * GB,
    family: 'bert',
    contextLength: 8_192,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
];

/** Models that are known by name. */
export const weightsCatalogue: readonly CatalogueWeights[] = entries.map((entry) => ({
  ...entry,
  memoryBytes: memoryOf(entry.bytes),
  revision: 'main',
  sha256: null,
}));

/** Entries in whose words all the words of `text` stand; all of them for an empty text. */
export function searchWeights(text: string): readonly CatalogueWeights[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return weightsCatalogue.filter(({ id, title, kind, family, languages, repository }) => {
    const all = [id, title, kind, family, repository, ...languages].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
