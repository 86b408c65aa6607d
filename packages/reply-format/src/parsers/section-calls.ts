import { firstMark, partialMark } from '../marks.ts';
import type { SectionFrame } from '../tool-forms.ts';
import { MarkedCalls } from './marked-calls.ts';
import type { Pieces } from './pieces.ts';

/** Reads the calls of a section, each named before its arguments, which are JSON and are given out as they come. */
export class SectionCalls extends MarkedCalls<'head'> {
  readonly #frame: SectionFrame;

  constructor(out: Pieces, frame: SectionFrame) {
    super(out);
    this.#frame = frame;
  }

  protected step(): boolean {
    if (this.place === 'between') return this.#between();
    return this.place === 'head' ? this.#readHead() : this.#readArguments();
  }

  #between(): boolean {
    const { call, close } = this.#frame;
    const text = this.held.trimStart();
    const mark = [call, close].find((each) => text.startsWith(each));
    if (mark === undefined) return [call, close].some((each) => each.startsWith(text)) ? false : this.fail();
    if (mark === close && this.callCount === 0) return this.fail();
    this.take(this.held.length - text.length + mark.length);
    if (mark === call) {
      this.place = 'head';
      return true;
    }
    this.raw = '';
    this.over = true;
    return false;
  }

  #readHead(): boolean {
    const { separator, call, callEnd, close, name } = this.#frame;
    const found = firstMark(this.held, [separator, call, callEnd, close]);
    if (!found) return false;
    const named = found.mark === separator ? name.exec(this.held.slice(0, found.at).trim())?.[1] : undefined;
    if (named === undefined) return this.fail();
    return this.begin(named, found.at + separator.length);
  }

  #readArguments(): boolean {
    const ends = [this.#frame.callEnd, this.#frame.close];
    const found = firstMark(this.held, ends);
    const end = found ? found.at : this.held.length - partialMark(this.held, ends);
    this.arguments?.push(this.held.slice(0, end));
    this.held = this.held.slice(end);
    if (!found) return false;
    this.arguments?.end();
    this.place = 'between';
    // A section may end without the end of its last call.
    if (found.mark === this.#frame.callEnd) this.held = this.held.slice(found.mark.length);
    return true;
  }
}
