import type { EmbedderLimits, EngineModel } from '../../../ports/engine.ts';
import type { Dialect } from './dialects.ts';
import { asArray, asNumber, asObject } from './json.ts';

/**
 * Servers that refuse a text which is longer than their model reads, whatever they are asked. Sources: vLLM and SGLang, "OpenAI-Compatible
 * Server"; llama.cpp, tools/server; OpenAI and Mistral API references. Ollama cuts by default (`truncate` of its API).
 */
const refusing: ReadonlySet<Dialect> = new Set(['vllm', 'sglang', 'llama-server', 'llama-child', 'openai', 'mistral']);

/** What the pages of a server say of an embedding model. */
export interface EmbedderPages {
  readonly dialect: Dialect;
  /** The list of models; null where there is none. */
  readonly models: readonly EngineModel[] | null;
  /** GET /info, as Text Embeddings Inference has it; null where it is none. */
  readonly info: unknown;
}

/** Whether a page is that of Text Embeddings Inference. Source: its API, GET /info. */
export const isTeiInfo = (info: unknown): boolean => asNumber(asObject(info)?.['max_input_length']) !== null;

/** What a server does with long texts, by its pages. */
export function readEmbedderLimits({ dialect, models, info }: EmbedderPages, model: string): EmbedderLimits {
  if (isTeiInfo(info)) {
    const fields = asObject(info) ?? {};
    // Whatever a request says, with `auto_truncate` the router cuts.
    return { maxTokens: asNumber(fields['max_input_length']), cutsSilently: fields['auto_truncate'] !== false };
  }
  const listed = models?.find(({ name }) => name === model) ?? (models?.length === 1 ? models[0] : undefined);
  return { maxTokens: listed?.contextLength ?? null, cutsSilently: !refusing.has(dialect) };
}

/** How a kind of server counts the tokens of texts: the page, the body for one text, and the count in its answer. */
export interface Tokenizer {
  readonly path: string;
  body(model: string, text: string): Record<string, unknown>;
  count(answer: unknown): number | null;
}

const countedBy = (answer: unknown): number | null => {
  const { count, tokens } = asObject(answer) ?? {};
  return asNumber(count) ?? (Array.isArray(tokens) ? tokens.length : null);
};

const vllm: Tokenizer = {
  path: '/tokenize',
  body: (model, prompt) => ({ model, prompt, add_special_tokens: true }),
  count: countedBy,
};

/**
 * Sources: docs.vllm.ai, "Tokenizer API"; SGLang, `entrypoints/openai/serving_tokenize.py`; llama.cpp, tools/server/README.md, POST
 * /tokenize. Our own processes have the form of vLLM.
 */
const byDialect: Partial<Readonly<Record<Dialect, Tokenizer>>> = {
  vllm,
  sglang: vllm,
  'llama-child': vllm,
  'llama-server': {
    path: '/tokenize',
    body: (_model, content) => ({ content, add_special: true }),
    count: countedBy,
  },
};

/** Source: Text Embeddings Inference API, POST /tokenize. */
const tei: Tokenizer = {
  path: '/tokenize',
  body: (_model, inputs) => ({ inputs, add_special_tokens: true }),
  count: (answer) => {
    const [tokens] = asArray(answer);
    return Array.isArray(tokens) ? tokens.length : null;
  },
};

/** The tokenizer endpoint of a server; null where it has none that is known. */
export const tokenizerOf = (dialect: Dialect, info: unknown): Tokenizer | null =>
  isTeiInfo(info) ? tei : (byDialect[dialect] ?? null);
