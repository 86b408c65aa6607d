import { firstMark, partialMark } from '../marks.ts';
import type { SectionFrame } from '../tool-forms.ts';
import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';
import { TrimmedArguments } from './trimmed-arguments.ts';

/** Reads the calls of a section, each named before its arguments, which are JSON and are given out as they come. */
export class SectionCalls implements CallReader {
  readonly #out: Pieces;
  readonly #frame: SectionFrame;
  raw = '';
  failed = false;
  #place: 'between' | 'head' | 'arguments' = 'between';
  #held = '';
  #callCount = 0;
  #over = false;
  #arguments: TrimmedArguments | null = null;

  constructor(out: Pieces, frame: SectionFrame) {
    this.#out = out;
    this.#frame = frame;
  }

  push(text: string): string | null {
    this.#held += text;
    while (this.#step());
    return this.#over ? this.#held : null;
  }

  end(): string {
    this.failed = this.#callCount === 0;
    // The beginning of a mark after arguments or a call says nothing.
    const isWhole = this.#place === 'arguments' || (this.#place === 'between' && !this.failed);
    return isWhole ? '' : this.raw + this.#held;
  }

  #step(): boolean {
    if (this.#place === 'between') return this.#between();
    return this.#place === 'head' ? this.#readHead() : this.#readArguments();
  }

  #take(length: number): void {
    this.raw += this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
  }

  /** Not what the frame says: the section ends before it, or is none. */
  #fail(): false {
    if (this.#callCount > 0) {
      this.#held = this.raw + this.#held;
      this.raw = '';
    } else this.failed = true;
    this.#over = true;
    return false;
  }

  #between(): boolean {
    const { call, close } = this.#frame;
    const text = this.#held.trimStart();
    const mark = [call, close].find((each) => text.startsWith(each));
    if (mark === undefined) return [call, close].some((each) => each.startsWith(text)) ? false : this.#fail();
    if (mark === close && this.#callCount === 0) return this.#fail();
    this.#take(this.#held.length - text.length + mark.length);
    if (mark === call) {
      this.#place = 'head';
      return true;
    }
    this.raw = '';
    this.#over = true;
    return false;
  }

  #readHead(): boolean {
    const { separator, call, callEnd, close, name } = this.#frame;
    const found = firstMark(this.#held, [separator, call, callEnd, close]);
    if (!found) return false;
    const named = found.mark === separator ? name.exec(this.#held.slice(0, found.at).trim())?.[1] : undefined;
    if (named === undefined) return this.#fail();
    this.#held = this.#held.slice(found.at + separator.length);
    this.raw = '';
    this.#callCount++;
    this.#out.call(named);
    this.#arguments = new TrimmedArguments(this.#out);
    this.#place = 'arguments';
    return true;
  }

  #readArguments(): boolean {
    const ends = [this.#frame.callEnd, this.#frame.close];
    const found = firstMark(this.#held, ends);
    const end = found ? found.at : this.#held.length - partialMark(this.#held, ends);
    this.#arguments?.push(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!found) return false;
    this.#arguments?.end();
    this.#place = 'between';
    // A section may end without the end of its last call.
    if (found.mark === this.#frame.callEnd) this.#held = this.#held.slice(found.mark.length);
    return true;
  }
}
