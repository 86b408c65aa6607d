import type { Block, Box, Span } from '../../document.ts';
import type { Budget } from '../budget.ts';
import type { LetterCount } from '../lost-letters.ts';
import type { Container } from './container.ts';
import type { DocInfo } from './doc-info.ts';
import type { Mark, Numbering } from './numbering.ts';
import type { PageTracker } from './pages.ts';
import type { Area } from './places.ts';
import type { TreeRecord } from './records.ts';

/** A paragraph with text, before it is known whether it is a heading. */
export interface TextItem {
  readonly kind: 'text';
  readonly spans: readonly Span[];
  readonly mark: Mark | null;
  /** Level that the document itself gives, from 1. */
  readonly given: number | null;
  readonly styleName: string;
  /** Hundredths of a point, of most of its letters. */
  readonly size: number;
  readonly bold: boolean;
  readonly hidden: boolean;
  readonly page: number | null;
  /** What it takes of that page, where the file tells. */
  readonly box?: Box;
}

/** What may be a title in a frame: a table of one row with nothing but a few words. */
export interface Banner {
  readonly spans: readonly Span[];
  readonly size: number;
  readonly bold: boolean;
  /** Notes that its words refer to. */
  readonly rest: readonly Block[];
}

export interface BlockItem {
  readonly kind: 'block';
  readonly block: Block;
  readonly banner?: Banner;
  /** Of a table: where each of its cells stands from its upper left corner; null where that is not known. */
  readonly areas?: readonly (Area | null)[];
}

export type Item = TextItem | BlockItem;

/** A field that is open: its text may go on over paragraphs. */
export interface OpenField {
  readonly link: string | null;
}

/** Where a list of paragraphs stands. */
export interface Place {
  readonly kind: 'body' | 'cell' | 'box' | 'note' | 'margin' | 'caption';
  readonly depth: number;
  /** On a ground that has a colour, or may have one: white letters are seen there. */
  readonly filled: boolean;
  readonly fields: OpenField[];
  /** Page of all within it; null lets each paragraph tell its own. */
  readonly page: number | null;
}

/** How the marks of notes look. */
export interface NoteShape {
  readonly kind: number;
  readonly before: string;
  readonly after: string;
}

export type NoteKind = 'footnote' | 'endnote';

/** What the parts of the reader share while they read one document. */
export interface Session {
  readonly info: DocInfo;
  readonly container: Container;
  readonly budget: Budget;
  /** What the file holds, and what was read of it. */
  readonly letters: LetterCount;
  readonly numbering: Numbering;
  readonly tracker: PageTracker;
  /** Pages are known: lines have their places. */
  readonly paged: boolean;
  /** Each code is reported once. */
  readonly warn: (code: string, message: string) => void;
  /** Paragraphs among `records`, and what stands within them. */
  readonly list: (records: readonly TreeRecord[], place: Place) => Item[];
  /** Items as blocks, without headings. */
  readonly finish: (items: readonly Item[]) => Block[];
  /** Paragraphs among `records` as blocks, without headings. */
  readonly blocks: (records: readonly TreeRecord[], place: Place) => Block[];
  readonly noteShapes: Record<NoteKind, NoteShape>;
  readonly noteCounts: Record<NoteKind | 'comment', number>;
  /** Headers and footers that were met already. */
  readonly margins: Set<string>;
  /** Numbering of the outline of this section, from 1. */
  outline: number;
}

/** The place of what stands within something. */
export const placeWithin = (place: Place, kind: Place['kind'], filled: boolean): Place => ({
  kind,
  depth: place.depth + 1,
  filled,
  fields: [],
  page: place.page,
});

/** Page of what is read now. */
export const pageOf = (
  session: { readonly paged: boolean; readonly tracker: Pick<PageTracker, 'page'> },
  place: Place,
): number | null => (session.paged ? (place.page ?? session.tracker.page()) : null);
