/** A document as it is written down here: headings, paragraphs, `- ` items and `|` tables, in the manner of Markdown. */
export interface SetDocument {
  /** Its name as it is uploaded; the ending says in which format it is written. */
  readonly name: string;
  readonly text: string;
}

/** What is asked, what a right answer holds, and the document that it stands in. */
export type SetQuestion = readonly [question: string, answer: RegExp, document: string];

/** Documents with questions about them. */
export interface AnswerSet {
  readonly name: string;
  readonly documents: readonly SetDocument[];
  readonly questions: readonly SetQuestion[];
  /** Questions that no document answers. */
  readonly unanswerable: readonly string[];
}
