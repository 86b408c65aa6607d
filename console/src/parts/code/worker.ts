import { type HighlighterCore, createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { grammarOf } from './languages.ts';
import type { ColourAnswer, ColourQuestion } from './colour.ts';

// Colours code beside the page: reading a grammar takes a third of a second, in which the page would not answer.

/** Name of the theme whose colours are the variables of code.module.css. */
const THEME = 'studio';

const highlighter: Promise<HighlighterCore> = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--code-' })],
  langs: [],
  // A pattern that this engine cannot read is left out: such code is coloured less, not wrongly.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

async function colour({ id, code, language }: ColourQuestion): Promise<ColourAnswer> {
  try {
    const shiki = await highlighter;
    await shiki.loadLanguage(grammarOf(language));
    const { tokens } = shiki.codeToTokens(code, { lang: language, theme: THEME });
    return { id, tokens };
  } catch {
    return { id, tokens: null };
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ColourQuestion>) => {
  // The page that began this one alone hears it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void colour(data).then((answer) => globalThis.postMessage(answer));
});
