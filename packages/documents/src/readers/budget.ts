import { ParseError } from '../parse-error.ts';
import type { ParseLimits } from '../reader.ts';

/** Counts what a document has had so far. Every method throws ParseError `TOO_LARGE` past its limit. */
export interface Budget {
  text(characters: number): void;
  cells(count: number): void;
  pages(count: number): void;
  /** Whether one may go as deep; nothing is thrown, as what lies deeper can be left out. */
  mayNest(depth: number): boolean;
}

const tooLarge = (what: string, most: number) =>
  new ParseError(
    'TOO_LARGE',
    `The document has more than ${most.toLocaleString('en')} ${what}. Split it and try again.`,
  );

export function createBudget(limits: ParseLimits): Budget {
  let characters = 0;
  let cells = 0;
  return {
    text(count) {
      characters += count;
      if (characters > limits.characters) throw tooLarge('characters', limits.characters);
    },
    cells(count) {
      cells += count;
      if (cells > limits.cells) throw tooLarge('table cells', limits.cells);
    },
    pages(count) {
      if (count > limits.pages) throw tooLarge('pages', limits.pages);
    },
    mayNest: (depth) => depth <= limits.depth,
  };
}
