import { splitLongWords } from './words.ts';

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
 * Size of the library's cache of words and their tokens. Each hit is written again into a map that iterates over deleted entries, so
 * that with the library's default of 100,000 a repeated word took a millisecond.
 */
export const MERGE_CACHE_SIZE = 0;

/** A tokenizer that takes linear time. Its tables are loaded when they are first wanted. */
export async function loadTokenizer(name: EncodingName = 'o200k_base'): Promise<Tokenizer> {
  const { countTokens, setMergeCacheSize } = await encodings[name]();
  setMergeCacheSize(MERGE_CACHE_SIZE);
  // What stands in a document is text, also where it looks like a control token.
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return {
    name,
    count(text) {
      let tokens = 0;
      for (const part of splitLongWords(text)) tokens += countTokens(part, options);
      return tokens;
    },
  };
}

/** Turns token ids into the text that they stand for; null where one of them is of no token. Its tables are loaded when they are first wanted. */
export async function loadDecoder(name: EncodingName): Promise<(ids: readonly number[]) => string | null> {
  const { decode } = await encodings[name]();
  return (ids) => {
    try {
      return decode(ids);
    } catch {
      return null;
    }
  };
}
