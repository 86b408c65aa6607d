import 'katex/dist/katex.min.css';
import { Code } from '@mantine/core';
import katex from 'katex';
import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { FormulaProps } from './props.ts';
import classes from '../markdown.module.css';

/** Longer ones are shown as they are written: drawing one costs more than its length. */
const MAX_LENGTH = 5_000;

/** An element with the formula; null where the text is none. */
function drawFormula(tex: string, displayMode: boolean): HTMLElement | null {
  if (tex.length > MAX_LENGTH) return null;
  const element = document.createElement('span');
  try {
    // It makes elements and sets their styles one by one: the policy of the page allows no styles in markup.
    katex.render(tex, element, { displayMode, throwOnError: true, trust: false, strict: 'ignore', maxExpand: 500 });
    return element;
  } catch {
    return null;
  }
}

/** A formula, with MathML beside it for those who listen; as it is written where it is none, or is not whole yet. */
export const DrawnFormula = memo(function DrawnFormula({ tex, display }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const drawn = useMemo(() => drawFormula(tex, display), [tex, display]);
  useLayoutEffect(() => {
    if (drawn !== null) place.current?.replaceChildren(drawn);
  }, [drawn]);
  if (drawn === null) return <Code>{display ? `$$ ${tex} $$` : tex}</Code>;
  return <span ref={place} className={display ? classes['formula'] : undefined} />;
});
