import type { Pieces } from './pieces.ts';

/** Arguments without the white space around them; an empty object where there are none. */
export class TrimmedArguments {
  readonly #out: Pieces;
  /** White space that is layout unless more follows; null before all else. */
  #space: string | null = null;

  constructor(out: Pieces) {
    this.#out = out;
  }

  push(text: string): void {
    const body = this.#space === null ? text.trimStart() : this.#space + text;
    const kept = body.trimEnd();
    this.#out.arguments(kept);
    if (body !== '') this.#space = body.slice(kept.length);
  }

  end(): void {
    if (this.#space === null) this.#out.arguments('{}');
  }
}
