/** Counts the tokens of a text. Must give the same for the same text. */
export interface Tokenizer {
  /** Named with the chunks, so that sizes can be understood later. */
  readonly name: string;
  count(text: string): number;
}

/** Units of letters, of spaces or of marks in a row that no writing has. */
const MAX_RUN_LENGTH = 512;

const kindOf = (code: number): number => {
  if (code <= 32) return 1;
  if (code >= 128) return code >= 0x3000 && code <= 0x303f ? 2 : 3;
  if (code >= 48 && code <= 57) return 4;
  return (code | 32) >= 97 && (code | 32) <= 122 ? 3 : 2;
};

/**
 * The text in parts, cut only within runs that no writing has: the time that a tokenizer takes grows with the square of such
 * a run.
 */
function* withoutLongRuns(text: string): Generator<string> {
  let from = 0;
  let run = 0;
  let kind = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = kindOf(code);
    run = next === kind ? run + 1 : 1;
    kind = next;
    // The second half of a pair stays with the first.
    if (run <= MAX_RUN_LENGTH || (code >= 0xdc00 && code <= 0xdfff)) continue;
    yield text.slice(from, at);
    from = at;
    run = 1;
  }
  yield text.slice(from);
}

const encodings = {
  /** Of the widely used models with 200,000 tokens. */
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  /** Of those before them, with 100,000; many embedding models are sized by it. */
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
} as const;
/** The encodings whose tokens can be counted. */
export type EncodingName = keyof typeof encodings;

/** A tokenizer that takes linear time. Its tables are loaded when they are first wanted. */
export async function loadTokenizer(name: EncodingName = 'o200k_base'): Promise<Tokenizer> {
  const { countTokens } = await encodings[name]();
  // What stands in a document is text, also where it looks like a control token.
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return {
    name,
    count(text) {
      let tokens = 0;
      for (const part of withoutLongRuns(text)) tokens += countTokens(part, options);
      return tokens;
    },
  };
}
