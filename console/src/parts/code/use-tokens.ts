import { startTransition, useEffect, useState } from 'react';
import { type Tokens, highlight } from './highlight.ts';
import type { CodeLanguage } from './languages.ts';

/** Code beyond this is shown without colours: it would cost more than it gives. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

interface Highlighted {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly tokens: Tokens | null;
}

/** The highlighted lines of a code; null until they are there, and for code that has no grammar or is too long. */
export function useTokens(code: string, language: CodeLanguage | null): Tokens | null {
  const short = code.length <= MAX_CHARACTERS && code.split('\n', MAX_LINES + 1).length <= MAX_LINES;
  const wanted = short ? language : null;
  const [highlighted, setHighlighted] = useState<Highlighted | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    return highlight(code, wanted, (tokens) =>
      // What people type goes first.
      startTransition(() => setHighlighted({ code, language: wanted, tokens })),
    );
  }, [wanted, code]);
  return highlighted?.code === code && highlighted.language === wanted ? highlighted.tokens : null;
}
