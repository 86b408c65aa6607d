/** A page of a document as a picture, and what is wanted of it. */
export interface PageToRead {
  /** PNG. */
  readonly picture: Uint8Array;
  /** Whether pictures and charts on it are described in words. */
  readonly describeFigures: boolean;
  /** Aborted when the page has had its time, or the document is wanted no more. */
  readonly signal: AbortSignal;
}

/** Reads pages from their pictures: layout and letters together. */
export interface PageReader {
  /** What the page says, in Markdown. Rejects with PageNotRead, or with the signal's reason. */
  read(page: PageToRead): Promise<string>;
}

/** A page was not read, for a reason that people may be told: no address and no secret. */
export class PageNotRead extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PageNotRead';
  }
}
