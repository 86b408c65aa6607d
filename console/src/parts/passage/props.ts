import type { TextSpan } from './marks.ts';

/** What {@link PassageView} takes. */
export interface PassageProps {
  /** Markdown, with tables in HTML, as documents are read into. */
  readonly text: string;
  /** Places of the text that are marked, in order and apart from each other. */
  readonly spans?: readonly TextSpan[];
  /** What was found of it, where it is a larger passage. */
  readonly found?: readonly TextSpan[] | undefined;
}
