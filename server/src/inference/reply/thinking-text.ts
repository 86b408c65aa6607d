import { firstMark, partialMark } from '@ai-studio/reply-format/marks.ts';
import type { CloseFinder } from '@ai-studio/reply-format/think-close.ts';

/** What ends a text of thinking: tags after an opening one, or what a finder takes for the end where none was seen. */
export type ThinkingEnd = readonly string[] | CloseFinder;

const isFinder = (end: ThinkingEnd): end is CloseFinder => 'find' in end && 'skip' in end;

/** Thinking that comes in pieces, without the white space around it. */
export class ThinkingText {
  readonly #end: ThinkingEnd;
  readonly #out: (text: string) => void;
  /** What may be a part of a tag. */
  #rest = '';
  /** White space that is layout unless more follows; null before all else. */
  #space: string | null = null;
  #written: string[] = [];

  constructor(end: ThinkingEnd, out: (text: string) => void) {
    this.#end = end;
    this.#out = out;
  }

  /** Whether no opening tag was seen. */
  get isAssumed(): boolean {
    return isFinder(this.#end);
  }

  /** Takes more; returns what follows the thinking once it is over. */
  push(text: string, ended = false): string | null {
    const all = this.#rest + text;
    const { end, mark } = this.#find(all, ended);
    this.write(all.slice(0, end));
    this.#rest = mark === null ? all.slice(end) : '';
    return mark === null ? null : all.slice(end + mark.length);
  }

  /** Takes text that surely has no tag. */
  write(text: string): void {
    if (this.isAssumed) this.#written.push(text);
    const all = this.#space === null ? text.trimStart() : this.#space + text;
    if (all === '') return;
    const kept = all.trimEnd();
    this.#space = all.slice(kept.length);
    if (kept !== '') this.#out(kept);
  }

  /** Nothing more comes. */
  end(): void {
    this.write(this.#rest);
    this.#rest = '';
  }

  /** All that was taken for thinking without an opening tag, as it came. */
  assumed(): string {
    return this.#written.join('') + this.#rest;
  }

  #find(text: string, ended: boolean) {
    if (isFinder(this.#end)) return this.#end.find(text, ended);
    const close = firstMark(text, this.#end);
    if (close) return { end: close.at, mark: close.mark };
    return { end: ended ? text.length : text.length - partialMark(text, this.#end), mark: null };
  }
}
