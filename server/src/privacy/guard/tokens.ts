import { type FindingType, findingTypes } from '@ai-studio/contract/utilities/privacy.ts';
import type { JsonText } from '../../kernel/json-text.ts';
import { TOKEN_ALPHABET, TOKEN_ID_LENGTH, tokenPlaceholder } from '../placeholder.ts';

// Models mostly repeat tokens as they got them, at times without brackets or with the backslashes of Markdown.

const TYPES = findingTypes.map((type) => type.replaceAll('_', String.raw`\\?_`)).join('|');
const CORE = String.raw`(?:${TYPES})\\?_[2-9A-HJ-NP-Z]{${TOKEN_ID_LENGTH}}`;
const tokens = new RegExp(String.raw`(\[)?(${CORE})(\])?`, 'g');
/** Longest notation of a token: type, underscore, id, brackets, backslashes. */
const MAX_LENGTH = Math.max(...findingTypes.map((type) => type.length)) + TOKEN_ID_LENGTH + 6;

const [OPEN_BRACKET, LETTER_A, LETTER_Z] = [0x5b, 0x41, 0x5a];
/** So many tokens are looked at one after the other sooner than they are sorted. */
const FEW = 16;

/** What a token, or one of which the end is missing, begins with. */
const BEGINS_TOKEN = /[[A-Z]/;
/** Characters at the end of JSON text among which an unfinished token begins: a backslash takes two. */
const JSON_TAIL = 2 * MAX_LENGTH;

/** Whether JSON text surely holds no token: every token holds an underscore. */
const isFreeOfTokens = (json: JsonText): boolean => !json.includes('_') && !json.includes('\\u');

/** How a restored value is escaped: not at all, or for the inside of a JSON string. */
export type Escaping = 'plain' | 'json';
const escapeValue: Readonly<Record<Escaping, (value: string) => string>> = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
};

/** A token in a text, and the value for it. */
interface TokenMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The tokens of one call and their values. Kept in memory for as long as the call lasts. */
export class TokenBook {
  readonly #digest: (text: string) => string;
  /** By the token without its brackets. */
  readonly #values = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  /** First letters of the tokens: bit 0 for A. */
  #firstLetters = 0;
  /** Tokens with and without their brackets, sorted; null until needed. */
  #notations: readonly string[] | null = null;

  /** `digest` returns the same bytes for the same text, as latin1 characters; they reveal nothing of it. */
  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  get size(): number {
    return this.#values.size;
  }

  /** Values by token, with brackets. */
  escaping(): ReadonlyMap<string, string> {
    return new Map([...this.#values].map(([core, value]) => [`[${core}]`, value]));
  }

  /** The token of a value: the same one each time. */
  tokenOf(type: FindingType, value: string): string {
    const existing = this.#tokens.get(`${type} ${value}`);
    if (existing !== undefined) return existing;
    // Ids are short, so two values may collide, though hardly ever.
    for (let attempt = 0; ; attempt++) {
      const bytes = this.#digest(`${type} ${attempt} ${value}`);
      let id = '';
      for (let at = 0; at < TOKEN_ID_LENGTH; at++) id += TOKEN_ALPHABET.charAt(bytes.charCodeAt(at) & 31);
      const token = tokenPlaceholder(type, id);
      const core = token.slice(1, -1);
      if (this.#values.has(core)) continue;
      this.#values.set(core, value);
      this.#tokens.set(`${type} ${value}`, token);
      this.#firstLetters |= 1 << (core.charCodeAt(0) - LETTER_A);
      this.#notations = null;
      return token;
    }
  }

  /** Tokens of this call in a text, leftmost first. */
  #findTokens(text: string): TokenMatch[] {
    const matches: TokenMatch[] = [];
    // Every token holds an underscore.
    if (!text.includes('_')) return matches;
    tokens.lastIndex = 0;
    for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
      const [match, open, core = '', close] = found;
      const value = this.#values.get(core.replaceAll('\\', ''));
      if (value === undefined) {
        // A token of this call may begin within an unknown one.
        tokens.lastIndex = found.index + 1;
        continue;
      }
      const [before, behind] =
        open !== undefined && close !== undefined ? [0, 0] : [open?.length ?? 0, close?.length ?? 0];
      matches.push({ start: found.index + before, end: found.index + match.length - behind, value });
      tokens.lastIndex = found.index + match.length - behind;
    }
    return matches;
  }

  /** Restores the values in a text; tokens of other calls stay. */
  restore(text: string, escaping: Escaping): string {
    let out = '';
    let copiedTo = 0;
    for (const { start, end, value } of this.#findTokens(text)) {
      out += text.slice(copiedTo, start) + escapeValue[escaping](value);
      copiedTo = end;
    }
    return out + text.slice(copiedTo);
  }

  /** Index at which an unfinished token may begin at the end of a text; the text's length where there is none. */
  findUnfinished(text: string): number {
    const from = Math.max(0, text.length - MAX_LENGTH);
    let matches: readonly TokenMatch[] | null = null;
    for (let at = from; at < text.length; at++) {
      if (!this.#mayBegin(text.charCodeAt(at))) continue;
      matches ??= this.#findTokens(text.slice(from));
      if (matches.some(({ start, end }) => from + start < at && at < from + end)) continue;
      if (this.#isUnfinished(text.slice(at).replaceAll('\\', ''))) return at;
    }
    return text.length;
  }

  /** Whether JSON text surely holds no token of this call, nor ends with what may be the beginning of one. */
  leaves(json: JsonText): boolean {
    if (!isFreeOfTokens(json)) return false;
    const tail = json.slice(-JSON_TAIL);
    // Nor does a text without capital letters and brackets at its end begin one.
    return !BEGINS_TOKEN.test(tail) || this.findUnfinished(tail) === tail.length;
  }

  /** Whether the end of a cut-off reply is certainly part of a token: more than its type. */
  isCutToken(text: string): boolean {
    const plain = text.replace('[', '').replaceAll('\\', '');
    return [...this.#values.keys()].some(
      (core) => plain.length > core.lastIndexOf('_') + 1 && plain.length < core.length && core.startsWith(plain),
    );
  }

  /** Whether a token may begin with a unit. */
  #mayBegin(unit: number): boolean {
    return (
      unit === OPEN_BRACKET ||
      (unit >= LETTER_A && unit <= LETTER_Z && (this.#firstLetters & (1 << (unit - LETTER_A))) !== 0)
    );
  }

  /** Whether a token, with brackets or without, begins with a text and goes on behind it. */
  #isUnfinished(text: string): boolean {
    if (this.#values.size > FEW) return isPrefixOfAny((this.#notations ??= this.#allNotations()), text);
    const inside = text.startsWith('[') ? text.slice(1) : null;
    for (const core of this.#values.keys())
      if (inside === null ? core.length > text.length && core.startsWith(text) : core.startsWith(inside)) return true;
    return false;
  }

  #allNotations(): string[] {
    return [...this.#values.keys()].flatMap((core) => [core, `[${core}]`]).toSorted(byUnits);
  }
}

const byUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Whether any of the sorted words is longer than `text` and begins with it. */
function isPrefixOfAny(sorted: readonly string[], text: string): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(text) === true;
}

/** Restores values in a streamed text. Buffers what may become a token, and never emits half of one. */
export interface Restorer {
  /** Returns what can be emitted now. */
  push(piece: string): string;
  /** Returns what was buffered, without a token that was cut off. */
  end(): string;
  /** Whether anything is buffered. */
  readonly hasBuffered: boolean;
  /** Whether JSON text that comes now surely stays as it is, and need not be pushed. */
  leaves(json: JsonText): boolean;
}

/** A class: an object literal with a getter costs a shape of its own each time. */
class TokenRestorer implements Restorer {
  readonly #tokens: TokenBook;
  readonly #escaping: Escaping;
  #buffered = '';

  constructor(tokens: TokenBook, escaping: Escaping) {
    this.#tokens = tokens;
    this.#escaping = escaping;
  }

  push(piece: string): string {
    const text = this.#buffered + piece;
    const at = this.#tokens.findUnfinished(text);
    this.#buffered = text.slice(at);
    return this.#tokens.restore(text.slice(0, at), this.#escaping);
  }

  end(): string {
    const last = this.#buffered;
    this.#buffered = '';
    return this.#tokens.isCutToken(last) ? '' : this.#tokens.restore(last, this.#escaping);
  }

  get hasBuffered(): boolean {
    return this.#buffered !== '';
  }

  leaves(json: JsonText): boolean {
    return this.#buffered === '' && this.#tokens.leaves(json);
  }
}

export const createRestorer = (tokens: TokenBook, escaping: Escaping = 'plain'): Restorer =>
  new TokenRestorer(tokens, escaping);
