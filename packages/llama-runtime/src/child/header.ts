import type { VocabularyFacts } from './tokens.ts';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const numberOf = (value: unknown): number | null => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What a GGUF header says of a model. Source: the GGUF specification, "Standardized key-value pairs". */
export interface ModelFacts {
  readonly architecture: string;
  readonly vocabulary: VocabularyFacts;
  readonly bosText: string;
  readonly eosText: string;
  /** Jinja templates of the chat; null where there is none. */
  readonly chatTemplate: string | null;
  readonly toolTemplate: string | null;
  /** Form of query and document for a reranker, with the places `{query}` and `{document}`. */
  readonly rerankTemplate: string | null;
  /** Whether the vocabulary is that of WordPiece, as BERT has it. */
  readonly wordPiece: boolean;
  /** 0 none, 1 mean, 2 first token, 3 last token, 4 rank; null where the file does not say. */
  readonly poolingType: number | null;
  /** Whether tokens see only what is before them. */
  readonly causal: boolean;
  /** Tokens that layers with a sliding window see; null when there are none. */
  readonly slidingWindow: number | null;
  /** Bytes of 16-bit keys and values that one token takes in all layers. */
  readonly tokenBytes: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function tokenBytes(own: Fields): number {
  const attention = fieldsOf(own['attention']);
  const layers = numberOf(own['block_count']) ?? 0;
  const heads = numberOf(attention['head_count']) ?? 0;
  const width = numberOf(own['embedding_length']) ?? 0;
  if (layers === 0 || heads === 0) return 0;
  const perHead = width / heads;
  const lengths = (numberOf(attention['key_length']) ?? perHead) + (numberOf(attention['value_length']) ?? perHead);
  const shared = attention['head_count_kv'];
  const heldHeads = Array.isArray(shared)
    ? sum(shared.map((value) => numberOf(value) ?? 0))
    : layers * (numberOf(shared) ?? heads);
  const bytesPerValue = 2;
  return heldHeads * lengths * bytesPerValue;
}

/** Reads the facts of a header. Null when it holds no language model. */
export function readFacts(metadata: Fields): ModelFacts | null {
  const general = fieldsOf(metadata['general']);
  const architecture = textOf(general['architecture']);
  if (architecture === null) return null;
  const own = fieldsOf(metadata[architecture]);
  const attention = fieldsOf(own['attention']);
  const tokenizer = fieldsOf(metadata['tokenizer']);
  const ggml = fieldsOf(tokenizer['ggml']);
  const tokens = Array.isArray(ggml['tokens']) ? (ggml['tokens'] as unknown[]) : [];
  const bos = numberOf(ggml['bos_token_id']) ?? numberOf(ggml['cls_token_id']);
  const eos = numberOf(ggml['eos_token_id']);
  // The key has this spelling in the specification.
  const sep = numberOf(ggml['seperator_token_id']) ?? numberOf(ggml['separator_token_id']);
  const textAt = (token: number | null) => (token === null ? '' : (textOf(tokens[token]) ?? ''));
  return {
    architecture,
    vocabulary: { size: tokens.length, bos, eos, sep },
    bosText: textAt(bos),
    eosText: textAt(eos),
    chatTemplate: textOf(tokenizer['chat_template']),
    toolTemplate: textOf(tokenizer['chat_template.tool_use']),
    rerankTemplate: textOf(tokenizer['chat_template.rerank']),
    wordPiece: ggml['model'] === 'bert',
    poolingType: numberOf(own['pooling_type']),
    causal: attention['causal'] !== false && !/bert/.test(architecture),
    slidingWindow: numberOf(attention['sliding_window']) || null,
    tokenBytes: tokenBytes(own),
  };
}
