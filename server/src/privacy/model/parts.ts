/** Units of a part. */
const MAX_LENGTH = 3_000;
/** Where a text may be cut, the best first: between lines, sentences, words. */
const borders = ['\n', '. ', ' '];

/** A part of a text, and where it begins. */
export interface Part {
  readonly start: number;
  readonly text: string;
}

/** A text in parts that a model reads in one go, cut where no value is cut if that can be. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + MAX_LENGTH);
    if (end < text.length) {
      const cut = borders
        .map((border) => ({ border, at: text.lastIndexOf(border, end - border.length) }))
        .find(({ at }) => at > start + MAX_LENGTH / 2);
      if (cut) end = cut.at + cut.border.length;
    }
    parts.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return parts;
}
