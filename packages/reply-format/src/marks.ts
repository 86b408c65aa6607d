/** Looking for marks (tags, control tokens, stop strings) in text that arrives in pieces. */

/** Length of the longest end of `text` that is the beginning of a mark, without being all of it. */
export function partialMark(text: string, marks: readonly string[]): number {
  let longest = 0;
  for (const mark of marks) {
    const first = mark.charCodeAt(0);
    for (let length = Math.min(mark.length - 1, text.length); length > longest; length--) {
      // Most ends are none: the first character says so without a slice.
      if (text.charCodeAt(text.length - length) === first && text.endsWith(mark.slice(0, length))) longest = length;
    }
  }
  return longest;
}

export interface FoundMark {
  readonly at: number;
  readonly mark: string;
}

/** The mark that stands first in `text`; of two at one place the longer. */
export function firstMark(text: string, marks: readonly string[]): FoundMark | null {
  let found: FoundMark | null = null;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at < 0) continue;
    if (!found || at < found.at || (at === found.at && mark.length > found.mark.length)) found = { at, mark };
  }
  return found;
}
