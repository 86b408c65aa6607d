import type { Span } from '../../document.ts';
import type { Lie } from '../../ocr/place.ts';
import type { DrawnText } from './drawn-text.ts';
import type { Rect } from './geometry.ts';

/** A paragraph as a page holds it, before it is known what it is in its document. */
export interface TextEntry extends Rect {
  readonly kind: 'text';
  readonly spans: readonly Span[];
  readonly text: string;
  readonly lines: number;
  readonly size: number;
  readonly bold: boolean;
  /** Name of the font of all its lines; empty where they differ. */
  readonly face: string;
  readonly hidden: boolean;
  /** Lines as they stand, where all letters are as wide as each other. */
  readonly code: readonly string[] | null;
  /** Stands alone in a box. */
  readonly banner: boolean;
  /** Level that the structure of the file gives. */
  readonly level?: number;
  /** An entry of a list of contents, as its row shows. */
  readonly contents?: boolean;
  /** Letters that stand on their side. */
  readonly aside?: boolean;
  /** Its last line reaches the edge of its column, so that it may go on elsewhere. */
  readonly full: boolean;
  /** The file has a blank behind its last letter. */
  readonly openEnd: boolean;
  /** The number of the page stands in it, at the top or the foot of a page. */
  readonly numbered?: boolean;
  /** Begins with a raised or bare mark and stands at the foot of the page. */
  readonly note?: string;
}

/** A cell; its place is that of the letters in it where no lines are drawn around it. */
export interface CellEntry extends Rect {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly header: boolean;
  readonly entries: readonly Entry[];
  readonly page: number;
}

export interface TableEntry extends Rect {
  readonly kind: 'table';
  readonly rows: number;
  readonly columns: number;
  readonly headerRows: number;
  readonly cells: readonly CellEntry[];
  /** Edges of its columns; empty where they are not drawn. */
  readonly xs: readonly number[];
}

export interface PictureEntry extends Rect {
  readonly kind: 'picture';
  /** Of a chart that is drawn: what stands in it and around it, a row each. */
  readonly words?: readonly string[];
}

export type Entry = TextEntry | TableEntry | PictureEntry;

/** Rows at an end of a page, each for itself and put together. */
export interface Edge {
  readonly rows: readonly TextEntry[];
  readonly paragraphs: readonly TextEntry[];
}

/** What stands on a page, in reading order. */
export interface PageParts {
  /** What stands at its very top and foot, and may be the same on other pages. */
  readonly top: Edge;
  readonly bottom: Edge;
  readonly entries: readonly Entry[];
}

/** What a page of the file holds. */
export interface PageContent extends PageParts {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Letters that can be read; none where the page is a picture. */
  readonly letters: number;
  readonly recognised: boolean;
  /** How the page is shown, where its picture was turned or straightened for reading: places of entries are those then. */
  readonly lie?: Lie;
  /** Some of its letters cannot be read. */
  readonly damaged: boolean;
  /** Text that is drawn as shapes, until it is recognised. */
  readonly drawnText?: DrawnText;
  /** The second page of a sheet that two are printed on, side by side. */
  readonly beside?: PageParts;
}
