/** Counts the tokens of a text. Must give the same for the same text. */
export interface Tokenizer {
  /** Named with the chunks, so that sizes can be understood later. */
  readonly name: string;
  count(text: string): number;
}

/** The tokenizer of the widely used models with 200,000 tokens; linear on Hangul. Loaded when it is first wanted. */
export async function loadTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // What stands in a document is text, also where it looks like a control token.
  return {
    name: 'o200k_base',
    count: (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }),
  };
}
