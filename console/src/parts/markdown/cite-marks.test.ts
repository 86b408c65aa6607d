import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import { expect, test } from 'vitest';
import { CITATION_HREF, citeMarks } from './cite-marks.ts';

/** Where the marks of a text stand, as the page shows it. */
function shown(children: string, numbers: readonly number[]): string {
  const html = renderToStaticMarkup(
    createElement(
      ReactMarkdown,
      { remarkPlugins: [[citeMarks, { numbers: new Set(numbers) }]], rehypePlugins: [rehypeSanitize] },
      children,
    ),
  );
  return html.replaceAll(new RegExp(`<a href="${CITATION_HREF}(\\d+)">\\d+</a>`, 'g'), '<$1>');
}

test.each([
  ['Fifteen days [1].', '<p>Fifteen days <1>.</p>'],
  ['Both [1][2], and **bold [2]**', '<p>Both <1><2>, and <strong>bold <2></strong></p>'],
  ['- one [1]\n- two [12]', '<ul>\n<li>one <1></li>\n<li>two <12></li>\n</ul>'],
  // Not a source of this answer, code, and what is a link already.
  ['[3] `[1]` [see [1]](https://example.org)', '<p>[3] <code>[1]</code> <a href="https://example.org">see [1]</a></p>'],
  ['[1]', '<p><1></p>'],
])('marks of sources in %j', (text, html) => expect(shown(text, [1, 2, 12])).toBe(html));

test('a text without sources stays as it is', () => expect(shown('See [1]', [])).toBe('<p>See [1]</p>'));
