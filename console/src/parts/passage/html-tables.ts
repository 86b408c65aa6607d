/** A part of a passage: Markdown, or a table that Markdown cannot write. */
export interface PassagePart {
  readonly kind: 'markdown' | 'table';
  readonly text: string;
  /** Where the part begins in the passage, in UTF-16 units. */
  readonly start: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/gm;
const TAG = /<(\/?)table\b[^<>]*>/gi;
/** What a passage that begins within a table has before the table's end. */
const INNER_TAG = /<\/?(?:thead|tbody|tr|th|td)\b[^<>]*>/i;
/** What follows the beginning of a table that is one. */
const TABLE_BEGIN = /^\s*<(?:caption|colgroup|thead|tbody|tr)\b/i;

/** Code between fences, which may be about HTML: it ends with the text where its end was cut off. */
function fencedRanges(text: string): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  let open: { readonly mark: string; readonly from: number } | null = null;
  for (const { 1: mark = '', index } of text.matchAll(FENCE)) {
    if (open === null) open = { mark, from: index };
    else if (mark.startsWith(open.mark)) {
      ranges.push([open.from, index]);
      open = null;
    }
  }
  if (open !== null) ranges.push([open.from, text.length]);
  return ranges;
}

/**
 * Tables with cells over several places are written as HTML, each from the beginning of a line. A passage may have been cut within
 * one: what is here of its rows is a table too.
 */
export function passageParts(text: string): readonly PassagePart[] {
  const fences = fencedRanges(text);
  const parts: PassagePart[] = [];
  let [from, begin, depth] = [0, 0, 0];
  const take = (kind: PassagePart['kind'], start: number, end: number) => {
    parts.push({ kind, text: text.slice(start, end), start });
    from = end;
  };
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (fences.some(([start, end]) => index >= start && index < end)) continue;
    const after = index + tag.length;
    if (slash === '') {
      if (depth === 0 && index > 0 && text[index - 1] !== '\n') continue;
      if (depth++ === 0) begin = index;
    } else if (depth > 0 && --depth === 0) {
      take('markdown', from, begin);
      take('table', begin, after);
    } else if (depth === 0 && parts.length === 0) {
      const inner = INNER_TAG.exec(text.slice(0, index))?.index ?? -1;
      if (inner === -1) continue;
      // Words of a cell may stand before the first tag: they belong to it.
      take('table', 0, after);
    }
  }
  if (depth > 0 && TABLE_BEGIN.test(text.slice(begin + 1).replace(/^[^<>]*>/, ''))) {
    take('markdown', from, begin);
    take('table', begin, text.length);
  } else take('markdown', from, text.length);
  return parts.filter((part) => part.text.trim() !== '');
}
