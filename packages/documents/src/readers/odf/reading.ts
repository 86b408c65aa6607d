import type { Block, FormField, Note } from '../../document.ts';
import type { XmlElement } from '../../package/xml.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import type { Budget } from '../budget.ts';
import type { LetterCount } from '../lost-letters.ts';
import type { Lists } from './lists.ts';
import type { EmbeddedDocument, EmbeddedObject } from './objects.ts';
import type { Styles } from './styles.ts';

/** What is known of a document while it is read. */
export interface Reading {
  readonly styles: Styles;
  readonly lists: Lists;
  readonly budget: Budget;
  /** Fields of forms by the id of their control. */
  readonly fields: ReadonlyMap<string, FormField>;
  /** What stands in the object of a frame; its words count as those of the file. */
  readonly object: (object: XmlElement) => EmbeddedObject | undefined;
  /** What stands in a document within this one. */
  readonly document: (document: EmbeddedDocument) => readonly FlowItem[];
  readonly warn: (code: string, message: string) => void;
  /** Letters of the file, and those that were read. */
  readonly letters: LetterCount;
  /** What stands in an element, as blocks without headings. */
  readonly blocks: (element: XmlElement) => readonly Block[];
  /** A comment with who wrote it. */
  readonly comment: (annotation: XmlElement) => Note;
  readonly noteCounts: Map<Note['kind'], number>;
  /** The page that the text has come to; null where pages are not known. */
  page: number | null;
  /** Tables, notes and frames within each other. */
  depth: number;
}

/** Runs `read` one level down; nothing, with a warning, beyond the depth that is allowed. */
export function deeper<Result>(reading: Reading, read: () => Result, otherwise: Result): Result {
  if (!reading.budget.mayNest(reading.depth + 1)) {
    reading.warn('nested_too_deep', 'What lies within too many tables or frames was left out.');
    return otherwise;
  }
  reading.depth++;
  try {
    return read();
  } finally {
    reading.depth--;
  }
}
