import { queryOptions } from '@tanstack/react-query';
import type { HighlighterCore } from 'shiki/core';
import { type CodeLanguage, grammarOf } from './languages.ts';

/** Name of the theme whose colours are the variables of code.module.css. */
export const CODE_THEME = 'studio';

async function createHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
  ]);
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: CODE_THEME, variablePrefix: '--code-' })],
    langs: [],
    // A pattern that this engine cannot read is left out: such code is coloured less, not wrongly.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

const highlighterQuery = queryOptions({
  queryKey: ['code', 'highlighter'],
  queryFn: createHighlighter,
  staleTime: 'static',
  gcTime: Infinity,
});

/** What colours code of a language, once its grammar is here. */
export const languageQuery = (language: CodeLanguage | null) =>
  queryOptions({
    queryKey: ['code', 'language', language],
    queryFn: async ({ client }) => {
      const highlighter = await client.query(highlighterQuery);
      if (language !== null) await highlighter.loadLanguage(grammarOf(language));
      return highlighter;
    },
    enabled: language !== null,
    staleTime: 'static',
    gcTime: Infinity,
  });
