import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { expect, test } from 'vitest';
import { datesAsText } from './dates-as-text.ts';
import { koreanMarkdown } from './korean-markdown.ts';

const drawn = (text: string) =>
  renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: [...koreanMarkdown, datesAsText] }, text),
  ).replaceAll('\n', '');

test.each([
  ['one wave is a range', '10~20명, 2~3일 ~~지움~~', '<p>10~20명, 2~3일 <del>지움</del></p>'],
  [
    'emphasis ends before a particle',
    '**"굵게"**는 **(가)**을',
    '<p><strong>&quot;굵게&quot;</strong>는 <strong>(가)</strong>을</p>',
  ],
  ['a date is text', '2025. 11. 28.', '<p>2025. 11. 28.</p>'],
  ['a day is text', '3. 15. 회의', '<p>3. 15. 회의</p>'],
  [
    'a date ends a list',
    '1. 서류\n2. 기한\n\n2025. 11. 28.\n\n끝',
    '<ol><li><p>서류</p></li><li><p>기한</p></li></ol><p>2025. 11. 28.</p><p>끝</p>',
  ],
  ['a date in an item', '- 2025. 11. 28. 시행\n- 둘', '<ul><li>2025. 11. 28. 시행</li><li>둘</li></ul>'],
  [
    'a list goes on behind a date',
    '1. 가\n\n2025. 11. 28.\n\n2. 나',
    '<ol><li><p>가</p></li></ol><p>2025. 11. 28.</p><ol start="2"><li><p>나</p></li></ol>',
  ],
  ['lists are lists', '1. 가\n   1. 나\n2. 다', '<ol><li>가<ol><li>나</li></ol></li><li>다</li></ol>'],
])('%s', (_name, text, html) => expect(drawn(text)).toBe(html));
