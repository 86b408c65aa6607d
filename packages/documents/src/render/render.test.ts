import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Document, textOf } from '../document.ts';
import { readHtml } from '../readers/html/index.ts';
import { readMarkdown } from '../readers/markdown/index.ts';
import { standardLimits } from '../reader.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

const options = { limits: standardLimits, pages: null, onPage: () => undefined };
const fromMarkdown = (text: string) => (readMarkdown(Buffer.from(text), options) as Document).blocks;
const fromHtml = (text: string) => (readHtml(Buffer.from(text), options) as Document).blocks;
const page = null;
const cell = (row: number, column: number, text: string, more = {}) => ({
  row,
  column,
  rowSpan: 1,
  columnSpan: 1,
  blocks: [{ type: 'paragraph', page, spans: [{ text }] }] as Block[],
  ...more,
});

const blocks: Block[] = [
  { type: 'heading', level: 2, page, spans: [{ text: '제1장 총칙' }] },
  {
    type: 'paragraph',
    page,
    spans: [
      { text: '1. * 별표 [괄호] <b> _밑줄_ ' },
      { text: '굵게 ', bold: true },
      { text: '주소', link: 'https://a.kr/b c' },
      { text: 'x', link: 'javascript:alert(1)' },
      { text: '1', note: 'n1' },
    ],
  },
  {
    type: 'list',
    page,
    items: [
      { level: 0, marker: '1.', ordered: true, spans: [{ text: '하나' }] },
      { level: 1, marker: '가.', ordered: true, spans: [{ text: '안쪽' }] },
      { level: 0, marker: '2.', ordered: true, spans: [{ text: '둘' }] },
    ],
  },
  {
    type: 'table',
    page,
    rows: 2,
    columns: 2,
    headerRows: 1,
    caption: [{ text: '표 1' }],
    cells: [
      cell(0, 0, '이름', { header: true }),
      cell(0, 1, 'a|b', { header: true }),
      cell(1, 0, '가'),
      cell(1, 1, '1\n2'),
    ],
  },
  {
    type: 'table',
    page,
    rows: 2,
    columns: 2,
    headerRows: 1,
    cells: [cell(0, 0, '합친 칸', { columnSpan: 2, header: true }), cell(1, 0, '<i>'), cell(1, 1, '나')],
  },
  { type: 'equation', page, latex: 'x^2' },
  { type: 'code', page, text: 'a```b', language: 'ts' },
  {
    type: 'footnote',
    page,
    kind: 'footnote',
    id: 'n1',
    marker: '1)',
    blocks: [{ type: 'paragraph', page, spans: [{ text: '각주' }] }],
  },
  { type: 'footer', page, blocks: [{ type: 'paragraph', page, spans: [{ text: '쪽 아래' }] }] },
  { type: 'paragraph', page, hidden: true, spans: [{ text: '숨은 글' }] },
];

describe('Markdown', () => {
  test('everything is written so that it is read as it was', () => {
    const text = renderMarkdown(blocks);
    const again = fromMarkdown(text);
    expect(again.map(({ type }) => type).slice(0, 4)).toEqual(['heading', 'paragraph', 'list', 'paragraph']);
    expect(again[1]?.type === 'paragraph' && textOf(again[1].spans)).toBe('1. * 별표 [괄호] <b> _밑줄_ 굵게 주소x1');
    expect(again[2]).toMatchObject({ items: [{ marker: '1.', level: 0 }, { level: 1 }, { level: 0 }] });
    expect(text).toContain('| 이름 | a\\|b |\n| --- | --- |\n| 가 | 1<br>2 |');
    expect(text).toContain('<th colspan="2">합친 칸</th>');
    expect(text).toContain('<td>&lt;i&gt;</td>');
    expect(text).toContain('$$\nx^2\n$$');
    expect(text).toContain('````ts\na```b\n````');
    expect(text).toContain('[^1]: 각주');
    expect(text).not.toMatch(/javascript:|쪽 아래|숨은 글/);
  });

  test('a note is linked to its mark, also where several have the same, and one that nothing refers to is text', () => {
    const note = (id: string, marker: string, text: string): Block => ({
      type: 'footnote',
      kind: 'footnote',
      id,
      page,
      marker,
      blocks: [{ type: 'paragraph', page, spans: [{ text }] }],
    });
    const written = renderMarkdown([
      {
        type: 'list',
        page,
        items: [
          { level: 0, marker: '-', ordered: false, spans: [{ text: '하나' }, { text: '1)', note: 'page-1-note-1' }] },
        ],
      },
      note('page-1-note-1', '1)', '첫째 주'),
      { type: 'paragraph', page, spans: [{ text: '둘' }, { text: '1)', note: 'page-2-note-2' }] },
      note('page-2-note-2', '1)', '둘째 주'),
      note('page-2-note-3', '2)', '홀로 선 주'),
      {
        type: 'footnote',
        kind: 'speaker',
        id: 'speaker-1',
        page,
        blocks: [{ type: 'paragraph', page, spans: [{ text: '말' }] }],
      },
    ]);
    expect(written).toBe('- 하나[^1]\n\n[^1]: 첫째 주\n\n둘[^1-2]\n\n[^1-2]: 둘째 주\n\n2\\) 홀로 선 주\n\n말');
    const again = fromMarkdown(written);
    expect(again.filter(({ type }) => type === 'footnote')).toMatchObject([{ id: '1' }, { id: '1-2' }]);
  });

  test('headers and footers of pages are written where they are asked for', () => {
    const all: Block[] = [
      { type: 'header', page: 1, blocks: [{ type: 'paragraph', page: 1, spans: [{ text: '머리' }] }] },
      { type: 'paragraph', page: 1, spans: [{ text: '글' }] },
      { type: 'footer', page: 1, blocks: [{ type: 'paragraph', page: 1, spans: [{ text: '발' }] }] },
      { type: 'paragraph', page: 1, hidden: true, spans: [{ text: '숨은 글' }] },
    ];
    expect([renderMarkdown(all), renderText(all), renderHtml(all)]).toEqual(['글', '글', '<p>글</p>']);
    const margins = { margins: true };
    expect(renderMarkdown(all, margins)).toBe('머리\n\n글\n\n발');
    expect(renderText(all, margins)).toBe('머리\n\n글\n\n발');
    expect(renderHtml(all, margins)).toBe('<header><p>머리</p></header>\n<p>글</p>\n<footer><p>발</p></footer>');
  });

  test('marks stand beside letters, however many blanks are around them', () => {
    const blanks = ' '.repeat(300_000);
    const spans = [{ text: `${blanks}가${blanks}나${blanks}`, bold: true }, { text: '끝' }];
    expect(renderMarkdown([{ type: 'paragraph', page, spans }])).toBe(`${blanks}**가${blanks}나**${blanks}끝`);
  });

  test('any paragraph is read as it was written', () => {
    const word = fc.constantFrom(
      '가',
      'b',
      '*',
      '_',
      '#',
      '- ',
      '1. ',
      '`',
      '[',
      ']',
      '(',
      '<',
      '>',
      '|',
      '\\',
      '+',
      '=',
      '&lt;',
      '~',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
        const text = words.join('').replaceAll(/\s+/g, ' ').trim();
        if (text === '') return;
        const again = fromMarkdown(renderMarkdown([{ type: 'paragraph', page, spans: [{ text }] }]));
        expect(renderText(again)).toBe(text);
      }),
    );
  });
});

describe('HTML', () => {
  test('is read as it was, and holds nothing that runs', () => {
    const html = renderHtml(blocks);
    expect(html).not.toMatch(/javascript:|<b>|<i>/);
    const again = fromHtml(html);
    expect(again.find(({ type }) => type === 'table')).toMatchObject({
      rows: 2,
      columns: 2,
      caption: [{ text: '표 1' }],
    });
    expect(again.find(({ type }) => type === 'list')).toMatchObject({
      items: [{ level: 0 }, { level: 1 }, { level: 0 }],
    });
  });

  test('no text can break out', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '/', 'a', 'script', ' ') }), (text) => {
        const again = fromHtml(renderHtml([{ type: 'paragraph', page, spans: [{ text, link: `https://${text}` }] }]));
        expect(renderText(again)).toBe(text.replaceAll(/\s+/g, ' ').trim());
      }),
    );
  });
});

test('plain text leaves the edges of pages and what is hidden out', () => {
  expect(renderText(blocks)).toContain('이름\ta|b\n가\t1 2');
  expect(renderText(blocks)).not.toMatch(/쪽 아래|숨은 글/);
});
