import { type FindingType, findingTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { TOKEN_ALPHABET, TOKEN_ID_LENGTH, tokenPlaceholder } from '../placeholder.ts';

// Models write tokens back as they got them, mostly: at times without brackets, or with strokes before the lines of Markdown.

const TYPES = findingTypes.map((type) => type.replaceAll('_', String.raw`\\?_`)).join('|');
const CORE = String.raw`(?:${TYPES})\\?_[2-9A-HJ-NP-Z]{${TOKEN_ID_LENGTH}}`;
const tokens = new RegExp(String.raw`(\[)?(${CORE})(\])?`, 'g');
/** Longest token as it may be written: its type, its id, a line between, brackets, strokes. */
const MAX_LENGTH = Math.max(...findingTypes.map((type) => type.length)) + TOKEN_ID_LENGTH + 6;

/** How a value is written where a token was: as it is, or within the string of a JSON text. */
export type Written = 'plain' | 'json';
const write: Readonly<Record<Written, (value: string) => string>> = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
};

/** A token in a text. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The tokens of one call, and the values that they stand for. Lives in memory, as long as the call. */
export class TokenBook {
  readonly #mark: (text: string) => Buffer;
  /** By the token without its brackets. */
  readonly #values = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  /** Tokens with and without their brackets, in order; null until they are asked for. */
  #written: readonly string[] | null = null;

  /** `mark` gives bytes that are the same for the same text, and tell nothing of it. */
  constructor(mark: (text: string) => Buffer) {
    this.#mark = mark;
  }

  get size(): number {
    return this.#values.size;
  }

  /** Values by their tokens as they are written into texts. */
  written(): ReadonlyMap<string, string> {
    return new Map([...this.#values].map(([core, value]) => [`[${core}]`, value]));
  }

  /** The token of a value: the same one each time. */
  tokenOf(type: FindingType, value: string): string {
    const known = this.#tokens.get(`${type} ${value}`);
    if (known !== undefined) return known;
    // Ids are short: that two values have the same one is possible, though hardly.
    for (let turn = 0; ; turn++) {
      const bytes = this.#mark(`${type} ${turn} ${value}`).subarray(0, TOKEN_ID_LENGTH);
      const token = tokenPlaceholder(type, Array.from(bytes, (byte) => TOKEN_ALPHABET[byte & 31] ?? '').join(''));
      const core = token.slice(1, -1);
      if (this.#values.has(core)) continue;
      this.#values.set(core, value);
      this.#tokens.set(`${type} ${value}`, token);
      this.#written = null;
      return token;
    }
  }

  /** Tokens of this call in a text, leftmost first. */
  #placesIn(text: string): Place[] {
    const places: Place[] = [];
    // Every token has one.
    if (!text.includes('_')) return places;
    tokens.lastIndex = 0;
    for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
      const [whole, open, core = '', close] = found;
      const value = this.#values.get(core.replaceAll('\\', ''));
      if (value === undefined) {
        // Another one may begin within what is none of ours.
        tokens.lastIndex = found.index + 1;
        continue;
      }
      const [before, behind] =
        open !== undefined && close !== undefined ? [0, 0] : [open?.length ?? 0, close?.length ?? 0];
      places.push({ start: found.index + before, end: found.index + whole.length - behind, value });
      tokens.lastIndex = found.index + whole.length - behind;
    }
    return places;
  }

  /** A text with the values in place of their tokens; tokens that are not of this call stay. */
  restore(text: string, written: Written): string {
    let out = '';
    let done = 0;
    for (const { start, end, value } of this.#placesIn(text)) {
      out += text.slice(done, start) + write[written](value);
      done = end;
    }
    return out + text.slice(done);
  }

  /** Where the end of a text begins that may become a token; its length where none does. */
  beginsAt(text: string): number {
    const all = (this.#written ??= this.#allWritten());
    let at = Math.max(0, text.length - MAX_LENGTH);
    const whole = this.#placesIn(text.slice(at)).map(({ start, end }) => ({ start: start + at, end: end + at }));
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x5b && (code < 0x41 || code > 0x5a)) continue;
      if (whole.some(({ start, end }) => start < at && at < end)) continue;
      if (isBeginning(all, text.slice(at).replaceAll('\\', ''))) return at;
    }
    return text.length;
  }

  /** Whether a text, the end of an answer that was cut off, is surely a part of a token: more than its type. */
  isPart(text: string): boolean {
    const plain = text.replace('[', '').replaceAll('\\', '');
    return [...this.#values.keys()].some(
      (core) => plain.length > core.lastIndexOf('_') + 1 && plain.length < core.length && core.startsWith(plain),
    );
  }

  #allWritten(): string[] {
    return [...this.#values.keys()].flatMap((core) => [core, `[${core}]`]).toSorted(byUnits);
  }
}

const byUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Whether any of the sorted words is longer than `text` and begins with it. */
function isBeginning(sorted: readonly string[], text: string): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(text) === true;
}

/** Restores values in a text that comes in pieces. What may become a token waits; half a token is never given out. */
export interface Restorer {
  /** What can be shown now. */
  push(piece: string): string;
  /** What was held back: nothing of a token that was cut off. */
  end(): string;
  /** Whether anything is held back. */
  readonly holds: boolean;
}

export function createRestorer(book: TokenBook, written: Written = 'plain'): Restorer {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const at = book.beginsAt(text);
      held = text.slice(at);
      return book.restore(text.slice(0, at), written);
    },
    end() {
      const last = held;
      held = '';
      return book.isPart(last) ? '' : book.restore(last, written);
    },
    get holds() {
      return held !== '';
    },
  };
}
