import type { CitedSource } from './cited.tsx';

/** What {@link Markdown} takes. */
export interface MarkdownProps {
  readonly text: string;
  /** True while the text still grows: its last code is coloured when it is whole, and the page keeps answering. */
  readonly growing?: boolean;
  /** Sources that the text cites as [1], [2]: their marks open them. */
  readonly sources?: readonly CitedSource[];
  readonly onSource?: (number: number) => void;
}
