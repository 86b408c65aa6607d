/** Limits of one prompt. No conversation reaches them; a template in an endless loop does within moments. */
export interface RenderLimits {
  /** Characters of a text: of the prompt, and of any that is made on the way to it. */
  readonly text: number;
  /** Characters of all texts together that loops, filters and functions make. */
  readonly texts: number;
  /** Values of a list. */
  readonly list: number;
  /** Values in all lists together that are made. */
  readonly lists: number;
}

export const RENDER_LIMITS: RenderLimits = {
  text: 32 * 1024 * 1024,
  texts: 256 * 1024 * 1024,
  list: 1_000_000,
  lists: 8_000_000,
};

/** A list that holds values of others takes so much less than one of new values. */
const SHARED = 1 / 8;

/** A template that goes beyond its bounds. */
export class RenderLimitExceeded extends Error {
  constructor(what: string) {
    super(`it makes too much of ${what}`);
    this.name = 'RenderLimitExceeded';
  }
}

/** Ends a template where a value grows too large: a time limit alone lets memory run out first. Asked before a value is made. */
export class Budget {
  readonly #limits: RenderLimits;
  #texts = 0;
  #values = 0;

  constructor(limits: RenderLimits) {
    this.#limits = limits;
  }

  /** A text of so many characters, which takes no memory of its own where it is tied together of parts. */
  joined(length: number): void {
    // What is no number is no length.
    if (!(length <= this.#limits.text)) throw new RenderLimitExceeded('one text');
  }

  /** A new text of so many characters. */
  text(length: number): void {
    this.joined(length);
    this.#texts += length;
    if (this.#texts > this.#limits.texts) throw new RenderLimitExceeded('text');
  }

  /** A new list of so many values; `shared`: of values that there are. */
  list(length: number, shared = false): void {
    if (!(length <= this.#limits.list)) throw new RenderLimitExceeded('one list');
    this.#values += length * (shared ? SHARED : 1);
    if (this.#values > this.#limits.lists) throw new RenderLimitExceeded('lists');
  }
}
