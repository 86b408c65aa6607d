import { firstMark, partialMark } from './marks.ts';

/** Ends a text that comes in pieces before the first stop string in it. What may begin one is held back. */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';
  #found: string | null = null;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** The stop string that ended the text; null as long as none has. */
  get found(): string | null {
    return this.#found;
  }

  /** Takes a piece and returns the text that is surely before any stop string. */
  push(piece: string): string {
    if (this.#found !== null) return '';
    const text = this.#held + piece;
    const found = firstMark(text, this.#stops);
    const end = found ? found.at : text.length - partialMark(text, this.#stops);
    this.#held = found ? '' : text.slice(end);
    this.#found = found ? found.mark : null;
    return text.slice(0, end);
  }

  /** What was held back. */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
