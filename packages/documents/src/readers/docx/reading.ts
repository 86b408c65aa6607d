import type { Block, FormField, Note, Span, Warning } from '../../document.ts';
import type { DiagramWords } from '../../package/diagram.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import type { Relations } from '../../package/relations.ts';
import type { XmlElement } from '../../package/xml.ts';
import type { ParseLimits } from '../../reader.ts';
import type { Budget } from '../budget.ts';
import type { LetterCount } from '../lost-letters.ts';
import type { Chunks } from './chunks.ts';
import type { Numbering } from './numbering.ts';
import type { PageCounter } from './pages.ts';
import type { Styles } from './styles.ts';

/** Footnotes, endnotes or comments: their part and their elements by id. */
export interface NotePart {
  readonly part: string;
  readonly relations: Relations;
  readonly notes: ReadonlyMap<string, XmlElement>;
}

/** What is known of a document while it is read. */
export interface Reading {
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly limits: ParseLimits;
  readonly budget: Budget;
  readonly warn: (warning: Warning) => void;
  /** Letters of the file, and those that were read. */
  readonly letters: LetterCount;
  readonly notes: Readonly<Partial<Record<Note['kind'], NotePart>>>;
  /** How their numbers are shown. */
  readonly noteFormats: Readonly<Partial<Record<Note['kind'], string>>>;
  /** Words of charts and diagrams by name of their part. */
  readonly graphic: (part: string) => DiagramWords | undefined;
  /** What stands in the text from parts of other formats. */
  readonly chunks: Chunks;
  /** The blocks of a document that a frame shows, by name of its part; nothing when it was given before. */
  readonly embedded: (part: string) => readonly Block[];
  /** Reads the paragraphs and tables within an element. */
  readonly readBlocks: (parent: XmlElement, story: Story) => readonly FlowItem[];
  /** Counts pages; whether they can be believed is known at the end. */
  readonly pages: PageCounter;
  /** Tables, notes and boxes within each other, where the reader stands now. */
  depth: number;
  /** Notes so far by kind. */
  readonly noteCounts: Map<Note['kind'], number>;
}

export interface Field {
  instruction: string;
  /** Between the beginning and the separator stands what it does, then what it shows. */
  shown: boolean;
  link?: string;
  /** A field to fill in, with where it began among the spans of its paragraph. */
  form?: { readonly field: FormField; readonly spans: readonly Span[]; readonly from: number };
}

/** A text of its own: the body, a note, a header. */
export interface Story {
  readonly reading: Reading;
  readonly part: string;
  readonly relations: Relations;
  /** Pages are reported here. */
  readonly isBody: boolean;
  /** Fields that are open, the innermost last. */
  readonly fields: Field[];
  /** Within a table of contents, a table or a box. */
  readonly inContents: boolean;
  readonly inTable: boolean;
}

/** Runs `read` one level down; null, with a warning, beyond the maximum depth. */
export function withDepth<T>(reading: Reading, read: () => T): T | null {
  if (!reading.budget.mayNest(reading.depth + 1)) {
    reading.warn({ code: 'too_deep', message: 'What is nested too deep within tables or boxes was left out.' });
    return null;
  }
  reading.depth++;
  try {
    return read();
  } finally {
    reading.depth--;
  }
}
