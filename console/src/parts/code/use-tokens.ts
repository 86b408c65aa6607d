import { useEffect, useState } from 'react';
import { type Tokens, colour } from './colour.ts';
import type { CodeLanguage } from './languages.ts';

/** Code beyond this is shown without colours: it would cost more than it gives. */
const MAX_LINES = 2_000;
const MAX_CHARACTERS = 100_000;

interface Coloured {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly tokens: Tokens | null;
}

/** The coloured lines of a code; null until they are there, and for code that has no grammar or is too long. */
export function useTokens(code: string, language: CodeLanguage | null): Tokens | null {
  const short = code.length <= MAX_CHARACTERS && code.split('\n', MAX_LINES + 1).length <= MAX_LINES;
  const wanted = short ? language : null;
  const [coloured, setColoured] = useState<Coloured | null>(null);
  useEffect(() => {
    if (wanted === null) return undefined;
    return colour(code, wanted, (tokens) => setColoured({ code, language: wanted, tokens }));
  }, [wanted, code]);
  return coloured?.code === code && coloured.language === wanted ? coloured.tokens : null;
}
