/** Formats of packages, which templates have too. */
export const packageFormats = ['docx', 'hwpx'] as const;
export type PackageFormat = (typeof packageFormats)[number];
/** Formats that documents are written in. */
export const writtenFormats = [...packageFormats, 'pdf'] as const;
export type WrittenFormat = (typeof writtenFormats)[number];

export interface WriteOptions {
  /** Stands above the text, and in the properties of the file. */
  readonly title?: string;
  /** Bytes of pictures by the address that the text shows them by: PNG, JPEG, GIF or BMP. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
  /** Numbers at the foot of the pages. */
  readonly pageNumbers: boolean;
  /** `official`: numbered lists are 1. 가. 1) 가) (1) (가) ① ㉮ by their level; `as_written`: as the text has them. */
  readonly numbering: 'official' | 'as_written';
}

/** What was written. */
export interface WrittenFile {
  readonly bytes: Uint8Array;
  /** Letters of the text that the typeface of a PDF file does not have. */
  readonly missing: readonly string[];
  /** Addresses of the pictures that it shows. */
  readonly shown: ReadonlySet<string>;
}

/** What files that are written here say of their program: their headings are those that they name, and no others. */
export const PROGRAM = 'AI Studio';
