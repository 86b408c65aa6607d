import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';
import { TrimmedArguments } from './trimmed-arguments.ts';

/** Reads calls that stand between marks, each named before its arguments, which are JSON and are given out as they come. */
export abstract class MarkedCalls<Place extends string> implements CallReader {
  readonly #out: Pieces;
  raw = '';
  failed = false;
  protected place: Place | 'between' | 'arguments' = 'between';
  protected held = '';
  protected callCount = 0;
  protected over = false;
  protected arguments: TrimmedArguments | null = null;

  constructor(out: Pieces) {
    this.#out = out;
  }

  push(text: string): string | null {
    this.held += text;
    while (this.step());
    return this.over ? this.held : null;
  }

  end(): string {
    this.failed = this.callCount === 0;
    // The beginning of a mark after arguments or a call says nothing.
    const isWhole = this.place === 'arguments' || (this.place === 'between' && !this.failed);
    return isWhole ? '' : this.raw + this.held;
  }

  /** Reads on in what is held. False: more text is needed, or it is over. */
  protected abstract step(): boolean;

  protected take(length: number): void {
    this.raw += this.held.slice(0, length);
    this.held = this.held.slice(length);
  }

  /** Not of the form: the calls end before it, or are none. */
  protected fail(): false {
    if (this.callCount > 0) {
      this.held = this.raw + this.held;
      this.raw = '';
    } else this.failed = true;
    this.over = true;
    return false;
  }

  /** A call begins, whose arguments follow after `length` characters of what is held. */
  protected begin(name: string, length: number): true {
    this.held = this.held.slice(length);
    this.raw = '';
    this.callCount++;
    this.#out.call(name);
    this.arguments = new TrimmedArguments(this.#out);
    this.place = 'arguments';
    return true;
  }
}
