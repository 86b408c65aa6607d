import { firstMark, partialMark } from '@ai-studio/reply-format/marks.ts';
import { type JsonText, toJsonText } from '../../kernel/json-text.ts';

interface TokenList {
  /** First characters of the tokens. */
  readonly starts: string;
  /** The tokens as they stand in undecoded text. */
  readonly written: readonly JsonText[];
}

/** The same few lists come again with every call. */
const knownLists = new WeakMap<readonly string[], TokenList>();

function listOf(tokens: readonly string[]): TokenList {
  let list = knownLists.get(tokens);
  if (list === undefined) {
    const starts = [...new Set(tokens.map((token) => token.charAt(0)))].join('');
    knownLists.set(tokens, (list = { starts, written: tokens.map(toJsonText) }));
  }
  return list;
}

/** A text as long as this is searched for whole tokens before it is decoded. */
const LONG_CHARS = 1000;
/** Characters at its end that may hold the beginning of one. */
const TAIL_CHARS = 256;

/** Takes the chat template's control tokens out of an answer that comes in pieces. */
export class ControlTokenFilter {
  readonly #tokens: readonly string[];
  readonly #list: TokenList;
  /** What may be the beginning of a token. */
  #held = '';

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#list = listOf(tokens);
  }

  /** Whether a piece can go on as it is, undecoded. */
  passes(json: JsonText): boolean {
    if (this.#held !== '') return false;
    const { starts } = this.#list;
    if (starts === '') return true;
    if (json.includes('\\u')) return false;
    for (let i = 0; i < starts.length; i++)
      if (json.includes(starts.charAt(i))) return json.length >= LONG_CHARS && this.#passesLong(json);
    return true;
  }

  #passesLong(json: JsonText): boolean {
    const { written } = this.#list;
    return !written.some((token) => json.includes(token)) && partialMark(json.slice(-TAIL_CHARS), written) === 0;
  }

  push(text: string): string {
    let rest = this.#held + text;
    let clean = '';
    for (let found = firstMark(rest, this.#tokens); found; found = firstMark(rest, this.#tokens)) {
      clean += rest.slice(0, found.at);
      rest = rest.slice(found.at + found.mark.length);
    }
    const safe = rest.length - partialMark(rest, this.#tokens);
    this.#held = rest.slice(safe);
    return clean + rest.slice(0, safe);
  }

  /** What was held back, which is none. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
