import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core';
import { CODE_THEME, languageQuery } from './highlighter.ts';
import type { CodeLanguage } from './languages.ts';

/** Code beyond this is shown without colours: it would cost more than it gives. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 100_000;
/** Milliseconds of colouring without a pause. The first lines of a language take longest: its expressions are compiled. */
const SLICE_MS = 8;

export type Tokens = readonly (readonly ThemedToken[])[];

/** Colours code in short slices, so that the page answers in between. Returns what ends it. */
function colour(highlighter: HighlighterCore, lang: CodeLanguage, code: string, done: (tokens: Tokens) => void) {
  const lines = code.split('\n');
  const tokens: ThemedToken[][] = [];
  let grammarState: GrammarState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const step = () => {
    const until = performance.now() + SLICE_MS;
    do {
      const found = highlighter.codeToTokens(lines[tokens.length] ?? '', {
        lang,
        theme: CODE_THEME,
        ...(grammarState === undefined ? {} : { grammarState }),
      });
      grammarState = found.grammarState;
      tokens.push(...found.tokens);
    } while (tokens.length < lines.length && performance.now() < until);
    if (tokens.length >= lines.length) done(tokens);
    else timer = setTimeout(step, 0);
  };
  timer = setTimeout(step, 0);
  return () => clearTimeout(timer);
}

interface Coloured {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly tokens: Tokens;
}

/** The coloured lines of a code; null until they are there, and for code that has no grammar or is too long. */
export function useTokens(code: string, language: CodeLanguage | null): Tokens | null {
  const short = code.length <= MOST_CHARACTERS && code.split('\n', MOST_LINES + 1).length <= MOST_LINES;
  const wanted = short ? language : null;
  const { data: highlighter } = useQuery(languageQuery(wanted));
  const [coloured, setColoured] = useState<Coloured | null>(null);
  useEffect(() => {
    if (highlighter === undefined || wanted === null) return undefined;
    return colour(highlighter, wanted, code, (tokens) => setColoured({ code, language: wanted, tokens }));
  }, [highlighter, wanted, code]);
  return coloured?.code === code && coloured.language === wanted ? coloured.tokens : null;
}
