/**
 * Whether a path fits a pattern: `*` stands for any characters but `/`, `**` for any, `**` between slashes also for no folder, `?` for one
 * character. Takes no longer than both lengths multiplied, whatever the pattern.
 */
export function fitsPattern(path: string, pattern: string): boolean {
  const parts = pattern.match(/\*\*\/|\*+|\?|[^*?]/gsu) ?? [];
  const letters = Array.from(path);
  const { length } = letters;
  /** Places of the path that what came of the pattern may end at. */
  let ends = new Uint8Array(length + 1);
  ends[0] = 1;
  for (const part of parts) {
    const next = new Uint8Array(length + 1);
    let isOpen = false;
    for (let at = 0; at <= length; at++) {
      const isEnd = ends[at] === 1;
      const letter = letters[at];
      if (part === '**/') {
        isOpen ||= isEnd;
        if (isEnd || (isOpen && letters[at - 1] === '/')) next[at] = 1;
      } else if (part.startsWith('*')) {
        isOpen ||= isEnd;
        if (isOpen) next[at] = 1;
        if (part.length === 1 && letter === '/') isOpen = false;
      } else if (isEnd && at < length && (part === '?' ? letter !== '/' : letter === part)) next[at + 1] = 1;
    }
    ends = next;
  }
  return ends[length] === 1;
}
