/**
 * Keys under which messages and deltas carry a model's thinking, in the order in which readers look for it: where it stands
 * under several, it is the same text. All that reads or writes thinking goes by this list.
 */
export const reasoningKeys = [
  // DeepSeek API, "Thinking mode"; SGLang; llama.cpp; vLLM up to 0.11
  'reasoning_content',
  // OpenRouter; Ollama; Groq; vLLM after that
  'reasoning',
] as const;
/** One of the keys. */
export type ReasoningKey = (typeof reasoningKeys)[number];

/** What may carry thinking: a message, or the delta of a stream. */
export type ReasoningCarrier = { readonly [Key in ReasoningKey]?: string | null | undefined };

/** The same field under each of the keys, for the shape of a schema. */
export const reasoningFields = <Field>(field: Field) =>
  Object.fromEntries(reasoningKeys.map((key) => [key, field])) as Record<ReasoningKey, Field>;

/** The thinking of a message or a delta; empty where it carries none. */
export function reasoningOf(carrier: ReasoningCarrier): string {
  for (const key of reasoningKeys) {
    const text = carrier[key];
    if (text != null) return text;
  }
  return '';
}
