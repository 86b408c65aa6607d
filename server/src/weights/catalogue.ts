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
  /** What a person must know of the licence before the model is used; null for one that leaves all free. */
  readonly licenceNote: string | null;
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
type Entry = Omit<CatalogueWeights, keyof Optional | 'memoryBytes'> & Partial<Optional>;

// Source: EXAONE AI Model License Agreement 1.2 - NC, sections 2.1 and 3.1.
const EXAONE_NOTE =
  'For research and education only: neither the model nor what it writes may be used commercially without a licence of LG AI Research.';
// Source: HyperCLOVA X SEED Model License Agreement, section 3.1.
const HYPERCLOVA_NOTE =
  'NAVER\'s own terms: whoever offers it says "Powered by HyperCLOVA X", passes the licence on, and keeps to its list of prohibited uses.';
// Sources: the Gemma Terms of Use and the Llama 3.2 Community License.
const GEMMA_NOTE = "Google's own terms, with a list of prohibited uses that must be passed on to those who use it.";
const LLAMA_NOTE =
  'Meta\'s own terms: "Built with Llama" is shown where it is offered, and services with over 700 million users a month need a licence.';

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
    licence: 'exaone-1.2-nc (not for commercial use)',
    licenceNote: EXAONE_NOTE,
    bytes: 0.81 * GB,
    family: 'exaone',
    contextLength: 65_536,
    languages: ['ko', 'en', 'es'],
  },
  {
    id: 'hyperclovax-seed-0.5b',
    title: 'HyperCLOVA X SEED 0.5B: the smallest for Korean, does not think',
    kind: 'chat',
    repository: 'naver-ellm/HyperCLOVAX-SEED-Text-Instruct-0.5B-GGUF',
    revision: '27831169fdebe6fe30bb1b9d76b12a2d06693f26',
    file: 'HyperCLOVAX-SEED-Text-Instruct-0.5B-Q4_K_M.gguf',
    sha256: 'bc6a93b452648e8e90b06dc04f81edbdce9703fa76bdf589a63cc8418699d44f',
    licence: 'hyperclovax-seed',
    licenceNote: HYPERCLOVA_NOTE,
    bytes: 431_882_784,
    family: 'hyperclova',
    contextLength: 4_096,
    languages: ['ko', 'en'],
  },
  {
    id: 'hyperclovax-seed-1.5b',
    title: 'HyperCLOVA X SEED 1.5B: small, Korean first, does not think',
    kind: 'chat',
    repository: 'naver-ellm/HyperCLOVAX-SEED-Text-Instruct-1.5B-GGUF',
    revision: 'b9bbb68d6635a8b80263bf7165c8b908d64f28de',
    file: 'HyperCLOVAX-SEED-Text-Instruct-1.5B-Q4_K_M.gguf',
    sha256: '6e0841f886f55411327d4659308f2408424f0ac55a2d32f60a49f470c71381a6',
    licence: 'hyperclovax-seed',
    licenceNote: HYPERCLOVA_NOTE,
    bytes: 1_006_572_160,
    family: 'hyperclova',
    contextLength: 16_384,
    languages: ['ko', 'en'],
  },
  {
    id: 'gemma-3-1b',
    title: 'Gemma 3 1B: small and quick, without tools',
    kind: 'chat',
    repository: 'ggml-org/gemma-3-1b-it-GGUF',
    file: 'gemma-3-1b-it-Q4_K_M.gguf',
    licence: 'gemma',
    licenceNote: GEMMA_NOTE,
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
    licenceNote: GEMMA_NOTE,
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
    licenceNote: LLAMA_NOTE,
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
    id: 'multilingual-e5-small',
    title: 'Multilingual E5 small: tiny vectors in a hundred languages; texts begin with "query: " or "passage: "',
    kind: 'embedding',
    repository: 'TwinSunsLLC/multilingual-e5-small-gguf',
    revision: 'b6cac9615d4ecce28d7f22539b7322d695fc2886',
    file: 'multilingual-e5-small-q8_0.gguf',
    sha256: 'e011debc1208e31bf7b6aebee2d9fc8bd2ca11694a77ed66ac9d0c9d0a877c93',
    licence: 'mit',
    bytes: 132_439_008,
    family: 'bert',
    contextLength: 512,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'multilingual-e5-large-instruct',
    title: 'Multilingual E5 large instruct: vectors in a hundred languages; queries begin with a task',
    kind: 'embedding',
    repository: 'Ralriki/multilingual-e5-large-instruct-GGUF',
    file: 'multilingual-e5-large-instruct-q8_0.gguf',
    licence: 'mit',
    bytes: 0.6 * GB,
    family: 'bert',
    contextLength: 512,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'qwen3-reranker-0.6b',
    title: 'Qwen 3 Reranker 0.6B: orders long passages in many languages',
    kind: 'rerank',
    repository: 'ggml-org/Qwen3-Reranker-0.6B-Q8_0-GGUF',
    file: 'qwen3-reranker-0.6b-q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 0.64 * GB,
    family: 'qwen',
    contextLength: 32_768,
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
  revision: 'main',
  sha256: null,
  licenceNote: null,
  ...entry,
  memoryBytes: memoryOf(entry.bytes),
}));

/** Entries in whose words all the words of `text` stand; all of them for an empty text. */
export function searchWeights(text: string): readonly CatalogueWeights[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return weightsCatalogue.filter(({ id, title, kind, family, languages, repository }) => {
    const all = [id, title, kind, family, repository, ...languages].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
