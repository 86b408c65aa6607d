/** A part of a passage: Markdown, or a table that Markdown cannot write. */
export interface PassagePart {
  readonly kind: 'markdown' | 'table';
  readonly text: string;
}

const FENCE = /^ {0,3}(?:```|~~~)/m;
const TAG = /<(\/?)table\b[^<>]*>/gi;

/**
 * Tables with cells over several places are written as HTML, each from the beginning of a line. One that does not end, as a cut passage
 * may have, stays what it is; so does all of a passage with code, which may be about HTML.
 */
export function passageParts(text: string): readonly PassagePart[] {
  if (FENCE.test(text)) return [{ kind: 'markdown', text }];
  const parts: PassagePart[] = [];
  let [from, begin, depth] = [0, 0, 0];
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '') {
      if (depth === 0 && index > 0 && text[index - 1] !== '\n') continue;
      if (depth++ === 0) begin = index;
    } else if (depth > 0 && --depth === 0) {
      const end = index + tag.length;
      parts.push({ kind: 'markdown', text: text.slice(from, begin) }, { kind: 'table', text: text.slice(begin, end) });
      from = end;
    }
  }
  parts.push({ kind: 'markdown', text: text.slice(from) });
  return parts.filter((part) => part.text.trim() !== '');
}
