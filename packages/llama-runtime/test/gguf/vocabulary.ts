import { isUtf8 } from 'node:buffer';
import { bool, i32s, type Meta, string, strings, u32 } from './writer.ts';

/** Kinds of token. Source: llama.cpp, `llama_token_type`. */
const NORMAL = 1;
const CONTROL = 3;

/**
 * Characters that stand for bytes in a byte-level vocabulary: printable ones for themselves, the others from U+0100 on.
 * Source: GPT-2's `bytes_to_unicode`.
 */
const byteCharacters: readonly string[] = (() => {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
})();

/** Bytes as a byte-level vocabulary writes them. */
export const byteLevel = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byteCharacters[byte]).join('');

export interface Vocabulary {
  /** Text of each token, as the file has it. */
  readonly tokens: readonly string[];
  readonly metadata: Readonly<Record<string, Meta>>;
  idOf(token: string): number;
  /** Tokens that are part of a character: a model that knows nothing would make broken text of them. */
  readonly partial: readonly number[];
}

export interface VocabularyOptions {
  /** Control tokens, such as `<|im_start|>`. The first of `ends` ends a reply. */
  readonly control: readonly string[];
  readonly end: string;
  readonly bos?: string | null;
  /** Words that are one token each, reached by merging their bytes. */
  readonly words?: readonly string[];
  /** Further tokens, as bytes, that no text is cut into. */
  readonly pieces?: readonly Uint8Array[];
  readonly chatTemplate?: string | null;
}

/** Merges that make a word out of its bytes, one character more each time. */
function mergesOf(words: readonly string[]): { readonly merges: string[]; readonly made: string[] } {
  const merges: string[] = [];
  const made = new Set<string>();
  for (const word of words) {
    const characters = [...byteLevel(Buffer.from(word))];
    let so = characters[0] ?? '';
    for (const character of characters.slice(1)) {
      const joined = so + character;
      if (!made.has(joined)) merges.push(`${so} ${character}`);
      made.add(joined);
      so = joined;
    }
  }
  return { merges, made: [...made] };
}

/** A byte-level vocabulary (`gpt2`) that can write every text. */
export function byteVocabulary(options: VocabularyOptions): Vocabulary {
  const { control, end, bos = null, words = [], pieces = [], chatTemplate = null } = options;
  const { merges, made } = mergesOf(words);
  const plain = [...byteCharacters, ...made];
  const known = new Set(plain);
  // A piece of a single byte is a token already.
  const extra = pieces.filter(({ length }) => length > 1).map(byteLevel);
  for (const piece of extra) {
    if (known.has(piece)) throw new Error(`The piece ${JSON.stringify(piece)} is a token already`);
    known.add(piece);
  }
  const tokens = [...plain, ...extra, ...control];
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const idOf = (token: string) => {
    const id = ids.get(token);
    if (id === undefined) throw new Error(`No token ${JSON.stringify(token)}`);
    return id;
  };
  const bytesOf = new Map(byteCharacters.map((character, byte) => [character, byte]));
  const isPart = (token: string) => !isUtf8(Uint8Array.from([...token].map((c) => bytesOf.get(c) ?? 0)));
  return {
    tokens,
    idOf,
    partial: tokens.flatMap((token, id) => (!control.includes(token) && isPart(token) ? [id] : [])),
    metadata: {
      'tokenizer.ggml.model': string('gpt2'),
      'tokenizer.ggml.pre': string('qwen2'),
      'tokenizer.ggml.tokens': strings(tokens),
      'tokenizer.ggml.token_type': i32s(
        tokens.map((_, id) => (id < tokens.length - control.length ? NORMAL : CONTROL)),
      ),
      'tokenizer.ggml.merges': strings(merges),
      'tokenizer.ggml.eos_token_id': u32(idOf(end)),
      'tokenizer.ggml.padding_token_id': u32(idOf(end)),
      'tokenizer.ggml.add_bos_token': bool(bos !== null),
      ...(bos === null ? {} : { 'tokenizer.ggml.bos_token_id': u32(idOf(bos)) }),
      ...(chatTemplate === null ? {} : { 'tokenizer.chat_template': string(chatTemplate) }),
    },
  };
}
