/** What {@link Markdown} takes. */
export interface MarkdownProps {
  readonly text: string;
  /** True while the text still grows: its last code is coloured when it is whole, and the page keeps answering. */
  readonly growing?: boolean;
}
