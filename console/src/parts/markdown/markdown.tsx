import { Suspense, lazy } from 'react';
import classes from './markdown.module.css';
import type { MarkdownProps } from './props.ts';

const MarkdownRenderer = lazy(async () => ({ default: (await import('./rendered.tsx')).MarkdownRenderer }));

/**
 * A Markdown text of a model. HTML in it is shown as text, and nothing is loaded from other hosts. As it is written
 * until what shows it is here.
 */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className={classes['plain']}>{props.text}</div>}>
      <MarkdownRenderer {...props} />
    </Suspense>
  );
}
