import type { Block } from '../../document.ts';
import type { Budget } from '../budget.ts';
import type { NoteKind, Item, Place } from '../hwp/session.ts';
import type { Cursor } from './cursor.ts';

/** What the parts of the reader share while they read one document. */
export interface Session {
  /** Where reading is; what lies within a drawing has one of its own. */
  cursor: Cursor;
  readonly budget: Budget;
  /** Names of styles by their number. */
  readonly styles: readonly string[];
  /** Each code is reported once. */
  readonly warn: (code: string, message: string) => void;
  /** Page that is being read, from 1. */
  page: number;
  readonly noteCounts: Record<NoteKind | 'comment', number>;
  /** Headers and footers that were met already. */
  readonly margins: Set<string>;
  /** Letters that stand for nothing that is known. */
  unknownLetters: number;
  /** The list of paragraphs that comes next. */
  readonly list: (place: Place) => Item[];
  /** Items as blocks, without headings. */
  readonly finish: (items: readonly Item[]) => Block[];
}
