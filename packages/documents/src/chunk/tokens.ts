import { withShortWords } from './words.ts';

/** Counts the tokens of a text. Must give the same for the same text. Words that no writing has are counted in pieces. */
export interface Tokenizer {
  /** Named with the chunks, so that sizes can be understood later. */
  readonly name: string;
  count(text: string): number;
}

const encodings = {
  /** Of the widely used models with 200,000 tokens. */
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  /** Of those before them, with 100,000; many embedding models are sized by it. */
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
} as const;
/** The encodings whose tokens can be counted. */
export type EncodingName = keyof typeof encodings;

/**
 * Words that the library remembers with their tokens. Each use of one writes it anew into a map that walks over what was deleted
 * from it, so that with the library's own 100,000 a repeated word took a millisecond.
 */
export const REMEMBERED_WORDS = 0;

/** A tokenizer that takes linear time. Its tables are loaded when they are first wanted. */
export async function loadTokenizer(name: EncodingName = 'o200k_base'): Promise<Tokenizer> {
  const { countTokens, setMergeCacheSize } = await encodings[name]();
  setMergeCacheSize(REMEMBERED_WORDS);
  // What stands in a document is text, also where it looks like a control token.
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return {
    name,
    count(text) {
      let tokens = 0;
      for (const part of withShortWords(text)) tokens += countTokens(part, options);
      return tokens;
    },
  };
}
