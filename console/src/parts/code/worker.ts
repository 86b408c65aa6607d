import { type HighlighterCore, createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { grammarOf } from './languages.ts';
import type { HighlightResponse, HighlightRequest } from './highlight.ts';
import { piecesOf } from './pieces.ts';

// Highlights code off the main thread: loading a grammar takes a third of a second and would block the page.

/** Name of the theme whose colours are the variables of code.module.css. */
const THEME = 'studio';

const highlighter: Promise<HighlighterCore> = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--code-' })],
  langs: [],
  // A pattern that this engine cannot read is left out: such code is coloured less, not wrongly.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

async function highlight({ id, code, language }: HighlightRequest): Promise<HighlightResponse> {
  try {
    const shiki = await highlighter;
    await shiki.loadLanguage(grammarOf(language));
    const { tokens } = shiki.codeToTokens(code, { lang: language, theme: THEME });
    return { id, tokens: tokens.map(piecesOf) };
  } catch {
    return { id, tokens: null };
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  // Only the page that started this worker receives it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void highlight(data).then((answer) => globalThis.postMessage(answer));
});
