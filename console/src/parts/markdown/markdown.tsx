import { late } from '../late.tsx';
import classes from './markdown.module.css';
import type { MarkdownProps } from './props.ts';

/**
 * A Markdown text of a model. HTML in it is shown as text, and nothing is loaded from other hosts. Its place is kept, without a
 * word of its source, until what shows it is here.
 */
export const Markdown = late<MarkdownProps>(
  async () => (await import('./rendered.tsx')).MarkdownRenderer,
  () => <div className={classes['plain']} aria-busy />,
);

/** Fetches what shows texts before the first one is there; safe to repeat. */
export const preloadMarkdown = (): void => void Markdown.preload().catch(() => undefined);
