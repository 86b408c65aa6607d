import 'katex/dist/katex.min.css';
import { Code } from '@mantine/core';
import katex from 'katex';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { FormulaProps } from './props.ts';
import classes from '../markdown.module.css';

/** Longer ones are shown as they are written: drawing one costs more than its length. */
const MAX_LENGTH = 5_000;

/** A formula, with MathML beside it for those who listen; as it is written where it is none, or is not whole yet. */
export const DrawnFormula = memo(function DrawnFormula({ tex, display }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [fails, setFails] = useState(false);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    try {
      if (tex.length > MAX_LENGTH) throw new Error('too long');
      // It makes elements and sets their styles one by one: the policy of the page allows no styles in markup.
      katex.render(tex, current, {
        displayMode: display,
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: 500,
      });
      setFails(false);
    } catch {
      current.replaceChildren();
      setFails(true);
    }
  }, [tex, display]);
  return (
    <>
      <span ref={place} hidden={fails} className={display ? classes['formula'] : undefined} />
      {fails ? <Code>{display ? `$$ ${tex} $$` : tex}</Code> : null}
    </>
  );
});
