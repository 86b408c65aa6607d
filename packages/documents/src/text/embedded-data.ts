/** What begins a file that stands in a text letter by letter, and the first character that is none of it. Both expressions are global. */
export interface EmbeddedForm {
  readonly head: RegExp;
  readonly foreign: RegExp;
  /** Shorter ones are left as they are, in characters. */
  readonly minLength: number;
}

/**
 * The text with something else in place of the files that stand in it. `replace` gets the letters of one. Its end is searched for: an
 * expression that repeats a class of characters needs a place on its stack for each, and fails from some eight million on.
 */
export function replaceEmbedded(
  text: string,
  { head, foreign, minLength }: EmbeddedForm,
  replace: (data: string) => string,
): string {
  let [result, from] = ['', 0];
  for (const found of text.matchAll(head)) {
    if (found.index < from) continue;
    const start = found.index + found[0].length;
    foreign.lastIndex = start;
    const end = foreign.exec(text)?.index ?? text.length;
    if (end - start < minLength) continue;
    result += text.slice(from, found.index) + replace(text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}
