import { Suspense, lazy } from 'react';
import classes from './markdown.module.css';
import type { MarkdownProps } from './props.ts';

const load = () => import('./rendered.tsx');
const MarkdownRenderer = lazy(async () => ({ default: (await load()).MarkdownRenderer }));

/** Fetches what shows texts before the first one is there; safe to repeat. */
export const preloadMarkdown = (): void => void load().catch(() => undefined);

/**
 * A Markdown text of a model. HTML in it is shown as text, and nothing is loaded from other hosts. Its place is kept, without a
 * word of its source, until what shows it is here.
 */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className={classes['plain']} aria-busy />}>
      <MarkdownRenderer {...props} />
    </Suspense>
  );
}
