import type { CloseFinder } from '@ai-studio/reply-format/think-close.ts';
import { StopFilter } from '@ai-studio/reply-format/stops.ts';
import type { ChatEvent } from '../../ports/engine.ts';

type Text = ChatEvent & { readonly type: 'text' };

/** Text that is an answer, or thinking without its opening tag: nobody knows yet. */
export class HeldText {
  readonly finder: CloseFinder;
  /** A long text that surely has no tag, undecoded; the first of all, where there is one. */
  long: Text | null = null;
  #pieces: string[] = [];
  #rest = '';
  #length = 0;

  readonly #stops: StopFilter | null;

  constructor(finder: CloseFinder, stops: readonly string[]) {
    this.finder = finder;
    this.#stops = stops.length === 0 ? null : new StopFilter(stops);
  }

  /** Whether it has a stop string. */
  get isStopped(): boolean {
    return this.#stops !== null && this.#stops.found !== null;
  }

  /** Characters that are surely no part of a tag. */
  get length(): number {
    return this.#length;
  }

  /** What may be a part of a tag, at the end. */
  get rest(): string {
    return this.#rest;
  }

  /** Takes more. Where that has the end of thinking, returns what follows it. */
  push(text: string, ended = false): string | null {
    this.#stops?.push(text);
    const all = this.#rest + text;
    const { end, mark } = this.finder.find(all, ended);
    this.#pieces.push(all.slice(0, end));
    this.#length += end;
    this.#rest = mark === null ? all.slice(end) : '';
    return mark === null ? null : all.slice(end + mark.length);
  }

  /** All of it but `rest`. */
  take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    return text;
  }
}
