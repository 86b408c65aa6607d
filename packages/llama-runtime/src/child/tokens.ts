import { StringDecoder } from 'node:string_decoder';
import { type ControlTexts, type Span, createControlTexts } from '../template/index.ts';
import type { NativeModel } from './native.ts';

/** Source: llama.h, `enum llama_token_attr`. */
const ATTR_UNKNOWN = 1;
const ATTR_CONTROL = 8;
const ATTR_USER_DEFINED = 16;
const ATTR_BYTE = 32;
/** Source: llama.h, `enum llama_vocab_type`. */
const VOCABULARY_BPE = 2;
const VOCABULARY_WPM = 3;

/** Tokens of a model and what they stand for. */
export interface Vocabulary {
  readonly size: number;
  /** Tokens that end a reply. */
  readonly ends: ReadonlySet<number>;
  /** Tokens of a text; names of special tokens in it count as those, but not those at the places that are only text. */
  tokenize(text: string, literals?: readonly Span[]): Uint32Array;
  /** The same without the token that stands before every text, for text in the middle of one. */
  tokenizePart(text: string): Uint32Array;
  /** Tokens of a text that stands alone, with what the model wants before and after it. All of it is only text by default. */
  tokenizeWhole(text: string, literals?: readonly Span[]): Uint32Array;
  /** The same of a query and a document in the form of models that read both at once. */
  tokenizePair(query: string, document: string): Uint32Array;
  /** Texts that stand for control tokens. */
  readonly controls: readonly string[];
  /** Bytes that a token adds to the text: often not whole characters. Special tokens give their name. */
  bytesOf(token: number): Buffer;
  /** Whether a token is a sign of the template and no text. */
  isControl(token: number): boolean;
  readonly bos: number | null;
  readonly eos: number | null;
  readonly sep: number | null;
}

/**
 * Bytes by the characters that stand for them in vocabularies of byte-level BPE: printable characters of Latin-1 stand for
 * themselves, the others are shifted beyond 255. Source: GPT-2, `bytes_to_unicode`.
 */
function byteLevelAlphabet(): ReadonlyMap<string, number> {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  const map = new Map<string, number>();
  let shifted = 0x100;
  for (let byte = 0; byte < 0x100; byte++) map.set(String.fromCharCode(printable(byte) ? byte : shifted++), byte);
  return map;
}

function byteLevelBytes(text: string, alphabet: ReadonlyMap<string, number>): Buffer {
  const bytes: number[] = [];
  for (const char of text) {
    const byte = alphabet.get(char);
    // No byte: a token that was added as text.
    if (byte === undefined) return Buffer.from(text.replaceAll('\u2581', ' '));
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/**
 * Whether a BPE vocabulary has characters that stand for bytes, and no texts: those of Gemma 4 and others are texts, with U+2581 for spaces, in
 * which `°` is no byte but itself. It is told by how the vocabulary writes a letter of two bytes.
 */
function isByteLevel(model: NativeModel): boolean {
  const texts = Array.from(model.tokenize('é', false), (token) => model.getTokenString(token)).join('');
  return texts === '' || texts.includes('Ã');
}

export interface VocabularyFacts {
  readonly size: number;
  readonly bos: number | null;
  readonly eos: number | null;
  readonly sep: number | null;
}

function endTokens(model: NativeModel, size: number): ReadonlySet<number> {
  const ends = new Set<number>();
  for (let token = 0; token < size; token++) if (model.isEogToken(token)) ends.add(token);
  return ends;
}

/** Texts of the tokens that only a template writes, with the tokens. Source: llama.cpp, `tokenizer_st_partition`. */
function controlTokens(
  model: NativeModel,
  size: number,
  bytesOf: (token: number) => Buffer,
): ReadonlyMap<string, number> {
  const tokens = new Map<string, number>();
  for (let token = 0; token < size; token++) {
    if ((model.getTokenAttributes(token) & (ATTR_CONTROL | ATTR_UNKNOWN)) === 0) continue;
    tokens.set(bytesOf(token).toString('utf8'), token);
  }
  tokens.delete('');
  return tokens;
}

/** Cuts a prompt at its control tokens as llama.cpp does, but for those at the places that are only text. */
function splitAtControls(
  text: string,
  literals: readonly Span[],
  finder: ControlTexts,
  found: (plain: string, control: string | null) => void,
): void {
  let begin = 0;
  let from = 0;
  let next = 0;
  for (let span = finder.find(text, 0); span; span = finder.find(text, from)) {
    const [at, end] = span;
    while ((literals[next]?.[1] ?? Infinity) <= at) next++;
    const literal = literals[next];
    if (literal && literal[0] < end) {
      from = at < literal[0] ? at + 1 : literal[1];
      continue;
    }
    found(text.slice(begin, at), text.slice(at, end));
    begin = from = end;
  }
  found(text.slice(begin), null);
}

const withEdgeTokens = (before: number | null, tokens: Uint32Array, after: number | null): Uint32Array => {
  const list = [...tokens];
  if (before !== null && list[0] !== before) list.unshift(before);
  if (after !== null && list.at(-1) !== after) list.push(after);
  return Uint32Array.from(list);
};

const SYLLABLE = /[\uAC00-\uD7A3]/;
const LETTER_OF_SYLLABLE = /[\u1100-\u11FF]/;

/**
 * Whether a WordPiece vocabulary holds Hangul as letters alone, as uncased ones do: they were made of decomposed text. Source: Hugging Face
 * Transformers, BasicTokenizer with `strip_accents`.
 */
function readsLettersOfSyllables(model: NativeModel, size: number): boolean {
  let letters = false;
  for (let token = 0; token < size; token++) {
    const text = model.getTokenString(token);
    if (SYLLABLE.test(text)) return false;
    letters ||= LETTER_OF_SYLLABLE.test(text);
  }
  return letters;
}

/**
 * A text as the reference decomposes it for such a vocabulary, without accents. The runtime takes each code point for the first of those that it is
 * made of, which leaves the first consonant of a syllable alone; what is decomposed already it takes as it is.
 */
const decomposed = (text: string): string => text.normalize('NFD').replace(/\p{Mn}/gu, '');

/** Reads the vocabulary of a loaded model. */
export function createVocabulary(model: NativeModel, { size, bos, eos, sep }: VocabularyFacts): Vocabulary {
  const type = model.getVocabularyType();
  const alphabet = type === VOCABULARY_BPE && isByteLevel(model) ? byteLevelAlphabet() : null;
  const cache: (Buffer | undefined)[] = [];
  const read = (token: number): Buffer => {
    if (token < 0 || token >= size) return Buffer.alloc(0);
    const text = model.getTokenString(token);
    const attributes = model.getTokenAttributes(token);
    if ((attributes & (ATTR_UNKNOWN | ATTR_CONTROL | ATTR_USER_DEFINED)) !== 0) return Buffer.from(text);
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(text);
    if (byte?.[1] !== undefined && (attributes & ATTR_BYTE) !== 0) return Buffer.from(byte[1], 'hex');
    if (alphabet !== null) return byteLevelBytes(text, alphabet);
    return Buffer.from(text.replaceAll('\u2581', ' '));
  };
  const first = type === VOCABULARY_WPM || model.shouldPrependBosToken() ? bos : null;
  const last = type === VOCABULARY_WPM ? sep : model.shouldAppendEosToken() ? eos : null;
  const bytesOf = (token: number) => (cache[token] ??= read(token));
  const controls = controlTokens(model, size, bytesOf);
  const finder = createControlTexts(controls.keys());
  const written =
    type === VOCABULARY_WPM && readsLettersOfSyllables(model, size) ? decomposed : (text: string): string => text;
  const tokenizePart = (text: string) => model.tokenize(written(text), true);
  const tokenizePlain = (text: string) => model.tokenize(written(text), false);
  const tokenizeAround = (text: string, literals: readonly Span[]): Uint32Array => {
    const tokens: number[] = [];
    splitAtControls(text, literals, finder, (plain, control) => {
      if (plain !== '') for (const token of tokenizePlain(plain)) tokens.push(token);
      const token = control === null ? undefined : controls.get(control);
      if (token !== undefined) tokens.push(token);
    });
    return Uint32Array.from(tokens);
  };
  const some = (token: number | null) => (token === null ? [] : [token]);
  // BERT: [CLS] query [SEP] document [SEP]; XLM-RoBERTa: <s> query </s></s> document </s>.
  // Source: Hugging Face Transformers, build_inputs_with_special_tokens of both.
  const between = type === VOCABULARY_WPM ? some(sep ?? eos) : [...some(eos), ...some(sep)];
  const after = type === VOCABULARY_WPM ? some(sep ?? eos) : some(eos ?? sep);
  return {
    size,
    bos,
    eos,
    sep,
    ends: endTokens(model, size),
    tokenizePart,
    controls: [...controls.keys()],
    tokenize: (text, literals = []) =>
      withEdgeTokens(first, literals.length === 0 ? tokenizePart(text) : tokenizeAround(text, literals), null),
    tokenizeWhole: (text, literals) =>
      withEdgeTokens(first, literals ? tokenizeAround(text, literals) : tokenizePlain(text), last),
    tokenizePair: (query, document) =>
      Uint32Array.from([...some(bos), ...tokenizePlain(query), ...between, ...tokenizePlain(document), ...after]),
    bytesOf,
    isControl: (token) => (model.getTokenAttributes(token) & ATTR_CONTROL) !== 0,
  };
}

/** Makes text of tokens as they come: a character that is not whole yet waits for the rest of its bytes. */
export interface TextStream {
  push(token: number): string;
  /** What is left at the end, incomplete characters as U+FFFD. */
  end(): string;
}

export function createTextStream(vocabulary: Vocabulary): TextStream {
  const decoder = new StringDecoder('utf8');
  return { push: (token) => decoder.write(vocabulary.bytesOf(token)), end: () => decoder.end() };
}
