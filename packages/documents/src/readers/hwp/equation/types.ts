import type { EquationToken } from './tokens.ts';

/** Of letters. */
export type Font = 'it' | 'rm' | 'bold';

/** What the commands of the language are written with. */
export interface EquationParser {
  /** The next token, without taking it; one of kind `end` where none is left. */
  readonly peek: () => EquationToken;
  readonly take: () => EquationToken;
  /** The next group, name or letters, as LaTeX without brackets; empty where nothing follows. */
  readonly argument: () => string;
  /** The next group as the rows and cells of a table. */
  readonly cells: () => string[][];
  /** Until the end of a group, a row or a cell. */
  readonly sequence: () => string;
  readonly whole: () => string;
  readonly setFont: (font: Font) => void;
  /** Takes the term before, for commands such as `over`. */
  readonly before: () => string;
  /** Takes the term that stands after. */
  readonly after: () => string;
}
