import { ParseError } from '../parse-error.ts';
import { createCounter, type ParseLimits } from '../reader.ts';

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
  const characters = createCounter(limits, 'characters');
  const cells = createCounter(limits, 'cells');
  const pages = createCounter(limits, 'pages');
  let counted = 0;
  return {
    text(count) {
      if (characters(count) > limits.characters) throw tooLarge('characters', limits.characters);
    },
    cells(count) {
      if (cells(count) > limits.cells) throw tooLarge('table cells', limits.cells);
    },
    pages(count) {
      const more = Math.max(0, count - counted);
      counted += more;
      if (pages(more) > limits.pages) throw tooLarge('pages', limits.pages);
    },
    mayNest: (depth) => depth <= limits.depth,
  };
}
