import { firstMark, partialMark } from './marks.ts';
import { hyperclovaInTurn, thinkTags } from './think-tags.ts';

const { hyperclova: _turns, ...pairs } = thinkTags;

/** Tags that stand around thinking, the closing one by its opening one. */
const closeOf: ReadonlyMap<string, string> = new Map(Object.values(pairs).map(({ open, close }) => [open, close]));

/** What ends thinking. */
export const closeTags: readonly string[] = [...closeOf.values(), hyperclovaInTurn.close];

const marks: readonly string[] = [...closeOf.keys(), ...closeTags];

/** Characters between which a tag is spoken of. */
const quotes: ReadonlyMap<string, string> = new Map([
  ['`', '`'],
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
  ['(', ')'],
]);

const add = (counts: Map<string, number>, key: string, more: number) => counts.set(key, (counts.get(key) ?? 0) + more);

export interface FoundClose {
  /** Length of the text before the tag, or of what surely is no part of one. */
  readonly end: number;
  /** Null as long as there is none. */
  readonly mark: string | null;
}

/**
 * Looks for the end of thinking whose opening tag stands in the prompt, in text that comes in pieces. A tag that is spoken
 * of is none: one between quotation marks, or one that closes what the text itself has opened.
 */
export class CloseFinder {
  readonly #lineEnds: boolean;
  /** The last character before the text that comes next. */
  #before = '';
  /** Tags that the text itself has opened, by what closes them: at the beginning of a line, and within one. */
  readonly #blocks = new Map<string, number>();
  readonly #mentions = new Map<string, number>();

  /** `lineEnds`: a tag at the beginning of a line ends thinking also where the text spoke of an opening one within a line. */
  constructor(lineEnds: boolean) {
    this.#lineEnds = lineEnds;
  }

  /** Text that holds no tag went by. */
  skip(last: string): void {
    this.#before = last;
  }

  /**
   * Takes what follows the text that was taken before. What lies beyond `end` has to be given again, with more; `ended`:
   * there is no more.
   */
  find(text: string, ended = false): FoundClose {
    let from = 0;
    for (;;) {
      const rest = text.slice(from);
      const found = firstMark(rest, marks);
      if (!found) return this.#taken(text, ended ? text.length : text.length - partialMark(rest, marks), null);
      const at = from + found.at;
      const after = at + found.mark.length;
      const before = at > 0 ? text.charAt(at - 1) : this.#before;
      const quote = found.mark === hyperclovaInTurn.close ? undefined : quotes.get(before);
      if (quote !== undefined && after === text.length && !ended) return this.#taken(text, at, null);
      const spoken = quote !== undefined && text.startsWith(quote, after);
      if (!spoken && this.#ends(found.mark, before)) return this.#taken(text, at, found.mark);
      from = after;
    }
  }

  /** Counts a tag; whether it ends the thinking. */
  #ends(mark: string, before: string): boolean {
    const close = closeOf.get(mark);
    const isLine = before === '\n';
    if (close !== undefined) {
      add(isLine ? this.#blocks : this.#mentions, close, 1);
      return false;
    }
    const places = isLine ? [this.#blocks, this.#mentions] : [this.#mentions, this.#blocks];
    const opened = places.find((place) => (place.get(mark) ?? 0) > 0);
    if (!opened || (this.#lineEnds && isLine && opened === this.#mentions)) return true;
    add(opened, mark, -1);
    return false;
  }

  #taken(text: string, end: number, mark: string | null): FoundClose {
    if (end > 0) this.#before = text.charAt(end - 1);
    return { end, mark };
  }
}
