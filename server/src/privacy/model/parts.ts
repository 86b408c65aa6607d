/** UTF-16 units of a part. */
const MAX_LENGTH = 3_000;
/** Where a text may be cut, best first: between lines, sentences, words. */
const separators = ['\n', '. ', ' '];

/** A part of a text and its offset. */
export interface Part {
  readonly start: number;
  readonly text: string;
}

/** Splits a text into parts that a model reads at once, if possible where no value is cut. */
export function splitText(text: string): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + MAX_LENGTH);
    if (end < text.length) {
      const cut = separators
        .map((separator) => ({ border: separator, at: text.lastIndexOf(separator, end - separator.length) }))
        .find(({ at }) => at > start + MAX_LENGTH / 2);
      if (cut) end = cut.at + cut.border.length;
    }
    parts.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return parts;
}
