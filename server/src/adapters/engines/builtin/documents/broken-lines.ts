/** A line that a page breaks has at least so many UTF-16 units. */
const MIN_BROKEN_LENGTH = 40;
const MAX_LENGTH = 600;
const BEGINS_ANEW = /^\s*(?:[|#<>*\\[【(○□▪◦※•·-]|\d{1,3}[.)]|[가-하]\.|제\s?\d|[Ⅰ-Ⅻ])/;

/** Lines that a page has broken in the middle of a sentence, made whole: "Its manager is Maria", "Costa." */
export function wholeLines(lines: readonly string[]): string[] {
  const found: string[] = [];
  /** Place of the last line with words. */
  let last = -1;
  for (const line of lines) {
    if (line.trim() === '') {
      found.push(line);
      continue;
    }
    const before = found[last];
    if (before !== undefined && goesOn(before, line)) {
      found[last] = `${before} ${line.trim()}`;
      continue;
    }
    last = found.push(line) - 1;
  }
  return found;
}

/** Whether a line is the rest of the one before. */
function goesOn(before: string, line: string): boolean {
  if (before.length < MIN_BROKEN_LENGTH || before.length > MAX_LENGTH) return false;
  if (/[.!?:：;。|>]["'”’)\]*]*\s*$/.test(before.slice(-8)) || BEGINS_ANEW.test(line) || BEGINS_ANEW.test(before))
    return false;
  // It begins small, or sentences stand before its beginning, and it ends as they do.
  return (
    /^\s*[a-z]/.test(line) ||
    (/[a-z\d다요][.!?]\s/.test(before) && /[.!?]["'”’)]?\s*$/.test(line.slice(-8)) && line.length < MAX_LENGTH)
  );
}
