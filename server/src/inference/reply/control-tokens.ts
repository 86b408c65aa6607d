import { firstMark, partialMark } from '@ai-studio/reply-format/marks.ts';
import type { JsonText } from '../../kernel/json-text.ts';

/** First characters of tokens, by their list: the same few lists come again with every call. */
const knownStarts = new WeakMap<readonly string[], string>();

function startsOf(tokens: readonly string[]): string {
  let starts = knownStarts.get(tokens);
  if (starts === undefined)
    knownStarts.set(tokens, (starts = [...new Set(tokens.map((token) => token.charAt(0)))].join('')));
  return starts;
}

/** Takes the chat template's control tokens out of an answer that comes in pieces. */
export class ControlTokenFilter {
  readonly #tokens: readonly string[];
  readonly #starts: string;
  /** What may be the beginning of a token. */
  #held = '';

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
    this.#starts = startsOf(tokens);
  }

  /** Whether a piece can go on as it is, undecoded. */
  passes(json: JsonText): boolean {
    if (this.#held !== '') return false;
    if (this.#starts === '') return true;
    for (let i = 0; i < this.#starts.length; i++) if (json.includes(this.#starts.charAt(i))) return false;
    return !json.includes('\\u');
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
