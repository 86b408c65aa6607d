import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { inlineHtml } from './inline-html.ts';
import { type TextSpan, enclosedMarks, enclosedPieces, markSpans } from './marks.ts';

const spansOf = (source: string, words: readonly string[]): readonly TextSpan[] =>
  words
    .flatMap((word) => [...source.matchAll(new RegExp(word, 'g'))])
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
    .toSorted((a, b) => a.start - b.start);

/** What is drawn of a source in which words are marked. */
const drawn = (source: string, words: readonly string[]) =>
  renderToStaticMarkup(
    createElement(
      ReactMarkdown,
      { remarkPlugins: [remarkGfm, [markSpans, { source, spans: spansOf(source, words) }], inlineHtml] },
      source,
    ),
  );

test.each([
  ['a plain text', 'the leave of staff', ['leave'], '<p>the <mark>leave</mark> of staff</p>'],
  ['a heading', '## 1 핵심성과 과제', ['과제'], '<h2>1 핵심성과 <mark>과제</mark></h2>'],
  ['a number that would make a list', '2022\\. 1.', ['2022'], '<p><mark>2022</mark>. 1.</p>'],
  ['bold type', '**2022**년', ['2022', '년'], '<p><strong><mark>2022</mark></strong><mark>년</mark></p>'],
  ['a word behind escaped signs', '\\* \\*\\* 개선\\* 필요', ['필요'], '<p>* ** 개선* <mark>필요</mark></p>'],
  ['an entity before the word', 'R&amp;D 과제', ['과제'], '<p>R&amp;D <mark>과제</mark></p>'],
  [
    'the second line of a quotation',
    '> one\n> two',
    ['two'],
    '<blockquote>\n<p>one\n<mark>two</mark></p>\n</blockquote>',
  ],
  ['code in a line', 'call `studio up` first', ['studio'], '<p>call <code><mark>studio</mark> up</code> first</p>'],
])('%s keeps its marks', (_name, source, words, html) => expect(drawn(source, words)).toBe(html));

test('cells of a table keep their marks', () => {
  const html = drawn('| Kind | Days |\n|---|---|\n| a\\|b wedding | 5 |', ['wedding']);
  expect(html).toContain('<td>a|b <mark>wedding</mark></td>');
});

test('a block of code with a mark is drawn with it', () => {
  expect(drawn('```js\nconst a = 1;\n```', ['const'])).toBe('<pre><mark>const</mark> a = 1;</pre>');
});

test('elements of a line are drawn, of other tags only the words stay', () => {
  expect(drawn('m<sup>2</sup> and <font color="red">red</font><br>next', [])).toBe(
    '<p>m<sup>2</sup> and red<br/>\nnext</p>',
  );
  expect(drawn('<div class="a">words</div>', [])).toBe('<p>words</p>');
  expect(drawn('<!-- note -->', [])).not.toContain('note');
});

test('whatever the text, each mark encloses the word itself', () => {
  const part = fc.constantFrom(
    'leave',
    '휴가',
    '\\*',
    '**',
    '*',
    '`',
    '[a](<b>)',
    '&lt;',
    '\n',
    '\n\n',
    '# ',
    '- ',
    '> ',
    ' ',
    '|',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const html = drawn(parts.join(''), ['leave']);
      for (const [, word] of html.matchAll(/<mark>([^<]*)<\/mark>/g)) expect(word?.replaceAll('leave', '')).toBe('');
    }),
  );
});

test('marks in HTML stand around words, never within tags', () => {
  const html = '<table><tr><td class="table">the table</td></tr></table>';
  const enclosed = enclosedMarks(html, spansOf(html, ['table']));
  expect(enclosed.replaceAll(/[\uFDD0\uFDD1]/g, '')).toBe(html);
  expect(enclosedPieces(enclosed).filter(({ mark }) => mark !== null)).toEqual([{ text: 'table', mark: 'word' }]);
  expect(enclosedPieces('a\uFDD0b\uFDD1c')).toEqual([
    { text: 'a', mark: null },
    { text: 'b', mark: 'word' },
    { text: 'c', mark: null },
  ]);
});

test('what was found is marked across lines and blocks, the words in it as words', () => {
  const source = 'before\n\nthe days of **leave**\n\n- are fifteen\n\nafter';
  const spans = [
    { start: source.indexOf('days'), end: source.indexOf('leave'), found: true },
    { start: source.indexOf('leave'), end: source.indexOf('leave') + 5 },
    { start: source.indexOf('leave') + 5, end: source.indexOf(' fifteen'), found: true },
  ];
  const html = renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: [[markSpans, { source, spans }]] }, source),
  );
  expect(html).toBe(
    '<p>before</p>\n<p>the <mark class="found">days of </mark><strong><mark>leave</mark></strong></p>\n' +
      '<ul>\n<li><mark class="found">are</mark> fifteen</li>\n</ul>\n<p>after</p>',
  );
});

test('what was found of a table is marked cell by cell', () => {
  const html = '<table><tr><td class="a">one two</td><td> </td></tr><tr><td>three</td></tr></table>';
  const found = { start: html.indexOf('two'), end: html.length, found: true };
  const word = { start: html.indexOf('three'), end: html.indexOf('three') + 5 };
  const marked = (spans: readonly TextSpan[]) =>
    enclosedPieces(enclosedMarks(html, spans)).filter(({ mark }) => mark !== null);
  expect(marked([found])).toEqual([
    { text: 'two', mark: 'found' },
    { text: 'three', mark: 'found' },
  ]);
  expect(marked([{ ...found, end: word.start }, word])).toEqual([
    { text: 'two', mark: 'found' },
    { text: 'three', mark: 'word' },
  ]);
  // One that begins within a tag.
  expect(marked([{ ...found, start: html.indexOf('class') }])[0]).toEqual({ text: 'one two', mark: 'found' });
});
