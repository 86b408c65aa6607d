import { startTransition, useEffect, useState } from 'react';
import { type Tokens, highlight } from './highlight.ts';
import type { CodeLanguage } from './languages.ts';

/** Code beyond this is shown without colours: it would cost more than it gives. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

/** Lines that are coloured at a time: all of a long code in one go would hold the page up. */
const LINES_AT_ONCE = 16;

interface Highlighted {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly tokens: Tokens | null;
  /** Lines that are coloured by now. */
  readonly count: number;
}

/**
 * The highlighted lines of a code, those after the first `count` still without colours; null until they are there, and for code that has
 * no grammar or is too long.
 */
export function useTokens(
  code: string,
  language: CodeLanguage | null,
): { readonly tokens: Tokens; readonly count: number } | null {
  const short = code.length <= MAX_CHARACTERS && code.split('\n', MAX_LINES + 1).length <= MAX_LINES;
  const wanted = short ? language : null;
  const [highlighted, setHighlighted] = useState<Highlighted | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    return highlight(code, wanted, (tokens) =>
      // What people type goes first.
      startTransition(() => setHighlighted({ code, language: wanted, tokens, count: LINES_AT_ONCE })),
    );
  }, [wanted, code]);
  const { tokens, count } = highlighted ?? { tokens: null, count: 0 };
  const next = count < (tokens?.length ?? 0) ? count + LINES_AT_ONCE : 0;
  useEffect(() => {
    if (next === 0) return undefined;
    const timer = setTimeout(() => startTransition(() => setHighlighted((old) => old && { ...old, count: next })));
    return () => clearTimeout(timer);
  }, [next]);
  if (highlighted?.code !== code || highlighted.language !== wanted || tokens === null) return null;
  return { tokens, count };
}
