import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { type OdfForm, cell, objectFrame, odfChart, odfPart, p, row, writeOdf } from '../../../test/odf.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readDocument } from '../index.ts';

const read = (form: OdfForm) =>
  readDocument(writeOdf(form), null, { limits: standardLimits, pages: null, onPage: () => {} });

const title = (name: string, text: string) => `<chart:${name}>${p(text)}</chart:${name}>`;
const number = (value: string) => cell(value, `office:value-type="float" office:value="${value}"`);
const table = (rows: readonly string[]) =>
  `<table:table table:name="local-table"><table:table-header-rows>${rows[0] ?? ''}</table:table-header-rows><table:table-rows>${rows.slice(1).join('')}</table:table-rows></table:table>`;
const sales = odfChart(
  title('title', '매출') +
    title('subtitle', '억원') +
    `<chart:plot-area><chart:axis chart:dimension="x">${title('title', '연도')}</chart:axis></chart:plot-area>` +
    table([
      row(cell('') + cell('본사') + cell('지사')),
      row(cell('2025') + number('3.1000000000000001') + number('NaN')),
      row(cell('2026') + number('4') + `<table:table-cell office:value-type="float" office:value="5"/>`),
      row(cell('', 'table:number-columns-repeated="3"')),
    ]),
);
const math = (inner: string) =>
  `<?xml version="1.0"?><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>${inner}<annotation encoding="StarMath 5.0">x_0</annotation></semantics></math>`;

test('a chart is a picture with its titles and a table of its figures', async () => {
  const document = await read({
    kind: 'text',
    body: p('앞의 글이다.') + p(objectFrame('Object 1', '<svg:title>그림</svg:title>')) + p('뒤의 글이다.'),
    parts: { 'Object 1/content.xml': sales },
  });
  expect(document.warnings).toEqual([]);
  expect(document.blocks).toMatchObject([
    { type: 'paragraph' },
    {
      type: 'image',
      alt: '그림',
      text: '매출\n억원\n연도\n본사 — 2025: 3.1, 2026: 4\n지사 — 2026: 5',
      figures: [
        ['매출', '본사', '지사'],
        ['2025', '3.1', ''],
        ['2026', '4', '5'],
      ],
    },
    { type: 'paragraph' },
  ]);
  expect(renderMarkdown(document.blocks)).toContain('| 2026 | 4 | 5 |');
});

test('so it is on a slide and on a sheet, whose cells may hold its figures', async () => {
  const parts = { 'Object 1/content.xml': sales, 'Object 2/content.xml': odfChart(title('title', '요약')) };
  const slides = await read({ kind: 'presentation', body: `<draw:page>${objectFrame('Object 1')}</draw:page>`, parts });
  expect(slides.blocks).toMatchObject([{ type: 'image', page: 1, figures: [['매출', '본사', '지사'], {}, {}] }]);
  const sheets = await read({
    kind: 'spreadsheet',
    body: `<table:table table:name="표"><table:shapes>${objectFrame('Object 2')}</table:shapes>${row(cell('1') + cell(objectFrame('Object 1')))}</table:table>`,
    parts,
  });
  expect(sheets.blocks).toMatchObject([
    { type: 'heading' },
    { type: 'table', cells: [{}, { blocks: [{ type: 'image', figures: {} }] }] },
    { type: 'image', text: '요약' },
  ]);
  expect(sheets.blocks[2]).not.toHaveProperty('figures');
});

test('a formula is a part of its sentence, and one alone an equation', async () => {
  const formula = math(
    '<mrow><msub><mi>x</mi><mn>0</mn></msub><mo>&lt;</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow>',
  );
  const document = await read({
    kind: 'text',
    body: p(`값이 ${objectFrame('Object 1')} 이면 참이다.`) + p(objectFrame('Object 1')),
    parts: { 'Object 1/content.xml': formula },
  });
  const latex = String.raw`x_{0}<\frac{1}{2}`;
  expect(document.warnings).toEqual([]);
  expect(document.blocks).toMatchObject([
    { type: 'paragraph', spans: [{ text: '값이 ' }, { text: latex, math: true }, { text: ' 이면 참이다.' }] },
    { type: 'equation', latex },
  ]);
});

test('formulas may stand in the document itself, with names of the older form', async () => {
  const inner =
    '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML"><math:mfenced math:open="[" math:close="]"><math:mi>x</math:mi></math:mfenced></math:math>';
  const { blocks } = await read({
    kind: 'text',
    body: p(`<draw:frame><draw:object>${inner}</draw:object></draw:frame>`),
  });
  expect(blocks).toMatchObject([{ type: 'equation', latex: String.raw`\left[ x \right]` }]);
});

const sheet = odfPart(
  'spreadsheet',
  `<table:table table:name="예산">${row(cell('항목') + cell('금액'))}${row(cell('인건비') + number('1200'))}${row(cell(''), 'table:number-rows-repeated="1048570"')}</table:table>`,
);
const bold =
  '<style:style style:name="P1" style:family="paragraph"><style:text-properties fo:font-size="20pt"/></style:style>';

test('a spreadsheet within a text is a table, a text its paragraphs, a drawing its words', async () => {
  const document = await read({
    kind: 'text',
    body:
      p(`앞의 글은 ${objectFrame('Object 1')} 이어진다.`) +
      p(objectFrame('Object 2')) +
      p(objectFrame('Object 3', '<svg:title>흐름도</svg:title>')),
    parts: {
      'Object 1/content.xml': sheet,
      'Object 2/content.xml': odfPart('text', p('안의 첫 문단이다.', 'P1') + p('안의 둘째 문단이다.'), bold),
      'Object 3/content.xml': odfPart(
        'drawing',
        `<draw:page><draw:custom-shape>${p('접수')}</draw:custom-shape></draw:page>`,
      ),
    },
  });
  expect(document.warnings).toEqual([]);
  expect(renderMarkdown(document.blocks).split(/\n\n+/u)).toEqual([
    '앞의 글은  이어진다.',
    '|  |  |\n| --- | --- |\n| 항목 | 금액 |\n| 인건비 | 1200 |',
    '안의 첫 문단이다.',
    '안의 둘째 문단이다.',
    expect.stringContaining('흐름도'),
    '접수',
  ]);
});

test('so it is on a slide; what shows it again has a picture, and objects within it are pictures', async () => {
  const parts = {
    'Object 1/content.xml': odfPart('text', p(`밖의 안이다. ${objectFrame('Object 1')}${objectFrame('Object 2')}`)),
    'Object 2/content.xml': sheet,
  };
  const page = `<draw:page>${objectFrame('Object 1')}</draw:page>`;
  const { blocks, warnings } = await read({ kind: 'presentation', body: page + page, parts });
  expect(warnings).toEqual([]);
  expect(blocks).toMatchObject([
    { type: 'paragraph', page: 1 },
    { type: 'image', page: 1 },
    { type: 'image', page: 1 },
    { type: 'image', page: 2 },
  ]);
});

test('objects that are missing, damaged or something else are pictures', async () => {
  const text =
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body/>';
  const shown = ['none', 'damaged', 'text', '../../etc', ''].map((name) => p(objectFrame(name))).join('');
  const { blocks } = await read({
    kind: 'text',
    body: p('글이다.') + shown,
    parts: { 'damaged/content.xml': '<a', 'text/content.xml': text },
  });
  expect(brief(blocks).slice(1)).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^i/u)));
});

test('what a document shows many times counts each time', async () => {
  const parts = { 'Object 1/content.xml': odfChart(title('title', '가'.repeat(50_000))) };
  const body = p(objectFrame('Object 1').repeat(2_000));
  await expect(read({ kind: 'text', body, parts })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('clouds of points have their titles alone', async () => {
  const rows = [
    row(cell('') + cell('y')),
    ...Array.from({ length: 501 }, (_, at) => row(number(`${at}`) + number('1'))),
  ];
  const parts = { 'Object 1/content.xml': odfChart(title('title', '구름') + table(rows)) };
  const { blocks } = await read({ kind: 'text', body: p(objectFrame('Object 1')), parts });
  expect(blocks).toMatchObject([{ type: 'image', text: '구름' }]);
  expect(blocks[0]).not.toHaveProperty('figures');
});
