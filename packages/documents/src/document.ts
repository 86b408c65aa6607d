/**
 * What is read from a file, whatever its format. Plain data: it travels between processes as JSON. Lengths of pages and
 * boxes are points (1/72 inch) from the upper left corner; page numbers begin at 1.
 */
export interface Document {
  readonly format: DocumentFormat;
  readonly meta: DocumentMeta;
  /** One entry a page where the format has pages; empty where it has none (HTML, TXT, CSV). */
  readonly pages: readonly Page[];
  /** How many pages there are where nothing tells which of them holds what, so that `pages` is empty: as the file says, else by its letters. */
  readonly pageCount?: number;
  /** In reading order. Headers, footers, notes and comments stand where they belong, marked as such. */
  readonly blocks: readonly Block[];
  readonly warnings: readonly Warning[];
}

export const documentFormats = [
  'pdf',
  'docx',
  'doc',
  'hwp',
  'hwpx',
  'xlsx',
  'xls',
  'pptx',
  'ppt',
  'odt',
  'ods',
  'odp',
  'epub',
  'eml',
  'msg',
  'rtf',
  'html',
  'markdown',
  'csv',
  'text',
  'image',
] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export interface DocumentMeta {
  readonly title?: string;
  readonly author?: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
  /** BCP 47, where the file says so. */
  readonly language?: string;
}

export interface Page {
  readonly number: number;
  readonly width?: number;
  readonly height?: number;
  /** What people call it: the name of a sheet, the title of a slide. */
  readonly name?: string;
  /** A sheet or slide that its program does not show. */
  readonly hidden?: boolean;
  /** Its text was recognised from a picture. */
  readonly recognised?: boolean;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const formFieldKinds = ['checkbox', 'radio', 'choice', 'text'] as const;

/** A field of a form as it is filled in. */
export interface FormField {
  readonly kind: (typeof formFieldKinds)[number];
  /** What the file calls it; of radio buttons the name of their group. */
  readonly name?: string;
  /** Words of its own, such as the caption beside a box; else those around it are its label. */
  readonly label?: string;
  /** Of a box to tick or a radio button; null for one that is neither. */
  readonly checked?: boolean | null;
  /** Of a choice or a text; empty where nothing was filled in. */
  readonly value?: string;
  /** Of a choice. */
  readonly options?: readonly string[];
  /** Where it stands on the page of its block: the box to tick, or the place to fill in. */
  readonly box?: Box;
}

/** A run of text that looks the same. */
export interface Span {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  readonly script?: 'super' | 'sub';
  /** Address that it leads to. */
  readonly link?: string;
  /** The text is LaTeX. */
  readonly math?: boolean;
  /** Id of the note that is referred to here; `text` is its mark. */
  readonly note?: string;
  /** The text is what this field of a form shows; empty where nothing was filled in. */
  readonly field?: FormField;
}

interface BlockBase {
  /** Null where the format has no pages, or where it is not known. */
  readonly page: number | null;
  readonly box?: Box;
  /** Part of the file that it came from, such as `word/footnotes.xml`. */
  readonly source?: string;
  /** Its program does not show it (hidden text, folded rows, white on white). */
  readonly hidden?: boolean;
  /** 0 to 1, for text that was recognised from a picture. */
  readonly confidence?: number;
}

export interface Heading extends BlockBase {
  readonly type: 'heading';
  /** 1 is the highest; at most 6. */
  readonly level: number;
  /** Number or mark before it, such as `제1장` or `가.`; part of `spans` too. */
  readonly marker?: string;
  readonly spans: readonly Span[];
}

export interface Paragraph extends BlockBase {
  readonly type: 'paragraph';
  readonly spans: readonly Span[];
  /** The title of the document itself. */
  readonly role?: 'title' | 'subtitle' | 'quote' | 'contents';
}

export interface ListItem {
  /** 0 is the outermost. */
  readonly level: number;
  /** As it is shown: `1.`, `가.`, `①`, `-`; the text does not repeat it. */
  readonly marker: string;
  readonly ordered: boolean;
  /** Of an item that can be ticked. */
  readonly checked?: boolean;
  readonly spans: readonly Span[];
}

export interface List extends BlockBase {
  readonly type: 'list';
  readonly items: readonly ListItem[];
}

/** Where it begins and how far it goes; cells that it covers are left out. */
export interface TableCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly header?: boolean;
  readonly hidden?: boolean;
  /** Where it stands on its page. */
  readonly box?: Box;
  /** Its page, where that is not the one that the table begins on. */
  readonly page?: number;
  /** Paragraphs, lists, pictures and tables within it. */
  readonly blocks: readonly Block[];
}

export interface Table extends BlockBase {
  readonly type: 'table';
  readonly rows: number;
  readonly columns: number;
  /** How many rows at the top are headings, repeated where the table is split. */
  readonly headerRows: number;
  /** By row, then column. */
  readonly cells: readonly TableCell[];
  readonly caption?: readonly Span[];
}

export interface Picture extends BlockBase {
  readonly type: 'image';
  /** Text in its place, as the author gave it. */
  readonly alt?: string;
  /** Where the picture lies, as a text says that shows it (Markdown). */
  readonly address?: string;
  readonly caption?: readonly Span[];
  /** A chart's own words and figures, a diagram's words. */
  readonly text?: string;
  /** A chart's figures as a table: its title and the names of its series above, its categories at the left. */
  readonly figures?: readonly (readonly string[])[];
}

export interface Equation extends BlockBase {
  readonly type: 'equation';
  readonly latex: string;
}

export interface Code extends BlockBase {
  readonly type: 'code';
  readonly text: string;
  readonly language?: string;
}

/** Text beside the running text: notes at the foot, at the end, comments, notes of a slide. */
export interface Note extends BlockBase {
  readonly type: 'footnote';
  readonly kind: 'footnote' | 'endnote' | 'comment' | 'speaker';
  /** What spans refer to by `note`. */
  readonly id: string;
  readonly marker?: string;
  /** Of a comment. */
  readonly author?: string;
  readonly blocks: readonly Block[];
}

/** What stands at the top or the foot of pages, once for all pages that share it. */
export interface Margin extends BlockBase {
  readonly type: 'header' | 'footer';
  readonly blocks: readonly Block[];
}

export type Block = Heading | Paragraph | List | Table | Picture | Equation | Code | Note | Margin;

export interface Warning {
  /** Stable, in snake case, such as `page_unreadable`. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  readonly page?: number;
}

/** The text of spans, without their looks. */
export const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

/** One span of plain text; none for an empty text. */
export const plain = (text: string): readonly Span[] => (text === '' ? [] : [{ text }]);
