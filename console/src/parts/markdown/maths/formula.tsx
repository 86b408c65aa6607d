import { Code } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { FormulaProps } from './props.ts';

const Drawn = lazy(async () => ({ default: (await import('./drawn-formula.tsx')).DrawnFormula }));

/** A formula of a text: drawn by KaTeX, which is fetched with the first one; its source until then. */
export function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={<Code>{props.tex}</Code>}>
      <Drawn {...props} />
    </Suspense>
  );
}
