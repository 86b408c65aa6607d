import type { CloseFinder } from '@ai-studio/reply-format/think-close.ts';
import { type JsonText, fromJsonText } from '../../kernel/json-text.ts';
import { mayHoldTag } from './thinking-tags.ts';

/** Looks for the end of thinking in what goes out as an answer without a proof of it. */
export class AnswerWatch {
  readonly #finder: CloseFinder;
  /** Text that has to be looked at with more. */
  #rest: string;

  constructor(finder: CloseFinder, rest: string) {
    this.#finder = finder;
    this.#rest = rest;
  }

  /** Whether the piece shows that what went out was thinking. */
  isContradicted(json: JsonText): boolean {
    if (this.#rest === '' && !mayHoldTag(json)) {
      this.#finder.skip(json.charAt(json.length - 1));
      return false;
    }
    const text = this.#rest + fromJsonText(json);
    const { end, mark } = this.#finder.find(text);
    this.#rest = text.slice(end);
    return mark !== null;
  }

  /** The same for its end. */
  isContradictedAtEnd(): boolean {
    return this.#rest !== '' && this.#finder.find(this.#rest, true).mark !== null;
  }
}
