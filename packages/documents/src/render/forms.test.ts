import { describe, expect, test } from 'vitest';
import type { Block, Document } from '../document.ts';
import { renderWanted } from './forms.ts';

// Documents in the forms of others. That docling-core, tika-client and tika-python read them was tried with these programs.

const paragraph = (page: number | null, text: string, more: object = {}): Block => ({
  type: 'paragraph',
  page,
  spans: [{ text }],
  ...more,
});

const blocks: Block[] = [
  { type: 'header', page: 1, blocks: [paragraph(1, '머리말')] },
  paragraph(1, '취업규칙', { role: 'title', box: { x: 10, y: 20, width: 100, height: 12 } }),
  { type: 'heading', level: 2, page: 1, spans: [{ text: '제1조 <휴가>' }] },
  {
    type: 'list',
    page: 1,
    items: [
      { level: 0, marker: '가.', ordered: true, spans: [{ text: '연차' }] },
      { level: 0, marker: '나.', ordered: true, spans: [{ text: '병가' }] },
    ],
  },
  {
    type: 'table',
    page: 2,
    rows: 1,
    columns: 2,
    headerRows: 0,
    caption: [{ text: '표 1' }],
    cells: [{ row: 0, column: 0, rowSpan: 1, columnSpan: 2, header: true, blocks: [paragraph(2, '합계')] }],
  },
  { type: 'image', page: 2, alt: '도장', caption: [{ text: '그림 1' }] },
  { type: 'equation', page: 2, latex: 'x^2' },
  { type: 'code', page: 2, text: 'a = 1' },
  paragraph(2, '숨은 글', { hidden: true }),
];
const document: Document = {
  format: 'hwp',
  meta: { title: '규칙 & 규정', author: '김민수' },
  pages: [{ number: 1, width: 595, height: 842 }, { number: 2, width: 595, height: 842, name: '별표' }, { number: 3 }],
  blocks,
  warnings: [{ code: 'page_unreadable', message: 'The page is damaged', page: 3 }],
};
const bare: Document = { format: 'text', meta: {}, pages: [], blocks: [paragraph(null, '글')], warnings: [] };

interface Item {
  readonly self_ref: string;
  readonly parent: { readonly $ref: string };
  readonly children: readonly { readonly $ref: string }[];
}
interface Docling {
  readonly body: Item;
  readonly texts: readonly Item[];
  readonly groups: readonly Item[];
  readonly tables: readonly Item[];
  readonly pictures: readonly Item[];
}

const docling = (formats: readonly ('md' | 'json' | 'html' | 'text')[], of = document, pageBreak = '') =>
  JSON.parse(
    renderWanted(of, { form: 'docling', name: '규칙.v2.hwp', elapsedMs: 1_234.5, formats, pageBreak }, false),
  ) as {
    document: Record<string, unknown> & { json_content: Docling };
    status: string;
    errors: object[];
    processing_time: number;
  };

describe('Docling', () => {
  test('gives what is asked for, and what could not be read', () => {
    const given = docling(['text']);
    expect(given).toMatchObject({
      document: { filename: '규칙.v2.hwp', md_content: null, json_content: null, html_content: null },
      status: 'partial_success',
      errors: [{ error_message: 'Page 3: The page is damaged' }],
      processing_time: 1.235,
    });
    expect(given.document['text_content']).toMatch(/^취업규칙\n\n제1조/);
    expect(docling(['md'], bare)).toMatchObject({ document: { md_content: '글' }, status: 'success', errors: [] });
  });

  test('parts pages of Markdown where it is told how', () => {
    const whole = docling(['md'], document, '<!-- page -->').document['md_content'] as string;
    expect(whole.split('<!-- page -->')).toHaveLength(3);
    expect(whole.split('<!-- page -->')[1]).toContain('x^2');
  });

  test('a DoclingDocument has items that refer to each other, in layers and at places', () => {
    const json = docling(['json']).document.json_content;
    expect(json).toMatchObject({
      schema_name: 'DoclingDocument',
      name: '규칙.v2',
      pages: { 1: { page_no: 1, size: { width: 595, height: 842 } }, 3: { size: { width: 0, height: 0 } } },
      groups: [{ label: 'list', children: [{ $ref: '#/texts/3' }, { $ref: '#/texts/4' }] }],
      tables: [
        {
          captions: [{ $ref: '#/texts/5' }],
          data: {
            num_rows: 1,
            num_cols: 2,
            table_cells: [{ text: '합계', start_col_offset_idx: 0, end_col_offset_idx: 2, column_header: true }],
          },
        },
      ],
    });
    expect(json.texts).toMatchObject([
      { label: 'page_header', content_layer: 'furniture' },
      {
        label: 'title',
        text: '취업규칙',
        prov: [{ page_no: 1, bbox: { l: 10, t: 20, r: 110, b: 32, coord_origin: 'TOPLEFT' }, charspan: [0, 4] }],
      },
      { label: 'section_header', level: 2, text: '제1조 <휴가>' },
      { label: 'list_item', marker: '가.', enumerated: true },
      { label: 'list_item' },
      { label: 'caption', text: '표 1' },
      { label: 'caption', text: '그림 1' },
      { label: 'text', text: '도장' },
      { label: 'formula' },
      { label: 'code' },
      { label: 'text', content_layer: 'invisible' },
    ]);
    // Each item is the child of what it names as its parent, once.
    const items = [...json.texts, ...json.groups, ...json.tables, ...json.pictures];
    const byRef = new Map([json.body, ...items].map((item) => [item.self_ref, item]));
    expect(byRef.size).toBe(items.length + 1);
    for (const { self_ref: ref, parent } of items)
      expect(
        byRef.get(parent.$ref)?.children.filter(({ $ref }) => $ref === ref),
        ref,
      ).toHaveLength(1);
  });
});

describe('loader', () => {
  const load = (of: Document, name: string | null = null) =>
    JSON.parse(renderWanted(of, { form: 'loader_pages', name }, false)) as object[];

  test('gives the pages that have text, from 0', () => {
    const common = { source: '규칙.hwp', format: 'hwp', title: '규칙 & 규정', author: '김민수', total_pages: 3 };
    expect(load(document, '규칙.hwp')).toEqual([
      {
        page_content: expect.stringMatching(/^취업규칙\n\n## 제1조/) as string,
        metadata: { ...common, page: 0, page_label: '1' },
      },
      {
        page_content: expect.stringContaining('x^2') as string,
        metadata: { ...common, page: 1, page_label: '별표' },
      },
    ]);
  });

  test('gives one entry of a format without pages, and none where nothing is text', () => {
    expect(load(bare)).toEqual([{ page_content: '글', metadata: { format: 'text' } }]);
    expect(load({ ...bare, blocks: [paragraph(null, ' ')] })).toEqual([]);
    expect(load({ ...document, blocks: [] })).toEqual([]);
  });
});

describe('Tika', () => {
  const tika = (content: 'text' | 'html', as: 'record' | 'list' | 'content') =>
    renderWanted(document, { form: 'tika', name: '규칙.hwp', content, as }, false);

  test('gives a record with metadata, in a list too', () => {
    const record = {
      'Content-Type': 'application/x-hwp-v5',
      'X-TIKA:Parsed-By': ['studio-parser'],
      resourceName: '규칙.hwp',
      'dc:title': '규칙 & 규정',
      'dc:creator': '김민수',
      'xmpTPg:NPages': '3',
      'X-TIKA:content': expect.stringMatching(/^취업규칙\n\n제1조 <휴가>/) as string,
    };
    expect(JSON.parse(tika('text', 'record'))).toEqual(record);
    expect(JSON.parse(tika('text', 'list'))).toEqual([record]);
  });

  test('gives XHTML with its pages', () => {
    const html = tika('html', 'content');
    expect(html).toMatch(/^<html [^>]*><head><title>규칙 &amp; 규정<\/title>/);
    expect(html.split('<div class="page">')).toHaveLength(4);
    expect(html).toContain('제1조 &lt;휴가&gt;');
    expect(html).not.toContain('숨은 글');
  });
});

test('Markdown alone is the text itself', () => {
  expect(renderWanted(bare, { form: 'markdown' }, false)).toBe('글');
});
