import { describe, expect, test } from 'vitest';
import { testDamage } from '../../../test/damage.ts';
import { type SlideForm, at, line, pptxParts, shape, writePptx } from '../../../test/pptx.ts';
import type { Document } from '../../document.ts';
import { standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readPptx } from './index.ts';

const read = async (bytes: Uint8Array): Promise<Document> =>
  readPptx(bytes, { limits: standardLimits, pages: null, onPage: () => undefined });
const markdown = async (...slides: SlideForm[]) => renderMarkdown((await read(writePptx(slides))).blocks);

describe('PPTX', () => {
  test('the title comes first, what stands side by side from left to right, bodies have bullets', async () => {
    const shapes = [
      shape(line('오른쪽'), { place: at(400, 100) }),
      shape(line('왼쪽'), { place: at(10, 110) }),
      shape(line('하나') + line('안쪽', '<a:pPr lvl="1"/>') + line('없음', '<a:pPr><a:buNone/></a:pPr>'), {
        ph: '<p:ph type="body" idx="1"/>',
      }),
      shape(line('3') + line('4'), { ph: '<p:ph type="sldNum" idx="12"/>', place: at(0, 500) }),
      shape(line('업무') + line('보고'), { ph: '<p:ph type="ctrTitle"/>', place: at(0, 400) }),
    ];
    expect(await markdown({ shapes: shapes.join('') })).toBe(
      ['# 업무 보고', '왼쪽', '오른쪽', '- 하나\n    - 안쪽', '없음'].join('\n\n'),
    );
  });

  test('numbers, looks and links', async () => {
    const numbered = '<a:pPr><a:buAutoNum type="arabicParenR" startAt="3"/></a:pPr>';
    const shapes = shape(
      line('셋', numbered) +
        line('넷', numbered, '<a:rPr b="1"><a:hlinkClick r:id="a"/></a:rPr>') +
        line('제곱', '', '<a:rPr baseline="30000" strike="sngStrike"/>'),
    );
    expect(await markdown({ shapes })).toBe('3. 셋\n4. [**넷**](<https://a.kr>)\n\n<sup>~~제곱~~</sup>');
  });

  test('tables keep their merged cells and headings', async () => {
    const cell = (text: string, more = '') => `<a:tc${more}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const shapes = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('가', ' gridSpan="2"')}${cell('', ' hMerge="1"')}</a:tr><a:tr>${cell('나')}${cell('다')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { blocks } = await read(writePptx([{ shapes }]));
    expect(blocks).toMatchObject([
      {
        type: 'table',
        rows: 2,
        columns: 2,
        headerRows: 1,
        cells: [
          { row: 0, column: 0, columnSpan: 2, header: true },
          { row: 1, column: 0 },
          { row: 1, column: 1 },
        ],
      },
    ]);
  });

  test('notes of the speaker, hidden slides, groups', async () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/><a:chExt cx="12700000" cy="12700000"/></a:xfrm></p:grpSpPr>${shape(line('묶음'), { place: at(0, 900) })}</p:grpSp>`;
    const { blocks, pages } = await read(
      writePptx([
        { shapes: shape(line('아래'), { place: at(0, 300) }) + group, notes: '말할 것' },
        { shapes: shape(line('숨음'), { ph: '<p:ph type="title"/>' }), hidden: true },
      ]),
    );
    expect(blocks).toMatchObject([
      { spans: [{ text: '묶음' }] },
      { spans: [{ text: '아래' }] },
      { type: 'footnote', kind: 'speaker', page: 1 },
      { type: 'heading', page: 2, hidden: true },
    ]);
    expect(pages).toMatchObject([
      { width: 720, height: 540 },
      { name: '숨음', hidden: true },
    ]);
  });

  test('cells that are merged both ways stand once', async () => {
    const cell = (text: string, more = '') => `<a:tc${more}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const over = cell('', ' hMerge="1" vMerge="1"');
    const shapes = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('가', ' gridSpan="2" rowSpan="2"')}${over}${cell('나')}</a:tr><a:tr>${over}${over}${cell('다')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { blocks } = await read(writePptx([{ shapes }]));
    expect(blocks).toMatchObject([
      {
        rows: 2,
        columns: 3,
        cells: [
          { row: 0, column: 0, rowSpan: 2, columnSpan: 2 },
          { row: 0, column: 2 },
          { row: 1, column: 2 },
        ],
      },
    ]);
  });

  test('what every slide bears at its foot is marked, and stands apart', async () => {
    const shapes =
      shape(line('대외비'), { ph: '<p:ph type="ftr" idx="11"/>', place: at(0, 500) }) +
      shape(line('본문'), { place: at(0, 100) });
    const { blocks } = await read(writePptx([{ shapes }]));
    expect(blocks).toMatchObject([
      { type: 'paragraph', spans: [{ text: '본문' }] },
      { type: 'footer', blocks: [{ spans: [{ text: '대외비' }] }] },
    ]);
  });

  test('formulas are LaTeX, in the line and alone', async () => {
    const math = (inner: string) =>
      `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${inner}</m:oMath>`;
    const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const half = math(`<m:f><m:num>${run('1')}</m:num><m:den>${run('2')}</m:den></m:f>`);
    const wrapped = `<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main">${half}</a14:m>`;
    const either = (choice: string, fallback: string) =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="a14">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
    const words = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
    const shapes = shape(
      `<a:p>${words('값은 ')}${wrapped}</a:p><a:p>${either(wrapped, words('그림'))}${either('', words('옛 말'))}</a:p>`,
    );
    const { blocks } = await read(writePptx([{ shapes: either(shapes, shape(line('그림'))) }]));
    expect(blocks).toMatchObject([
      { spans: [{ text: '값은 ' }, { text: '\\frac{1}{2}', math: true }] },
      { spans: [{ text: '\\frac{1}{2}', math: true }, { text: '옛 말' }] },
    ]);
  });

  test('boxes that connectors hold together are a list of who stands below whom, behind their words', async () => {
    const box = (id: number, words: string, x: number, y: number) =>
      shape(line(words), { place: at(x, y) }).replace('id="1"', `id="${id}"`);
    const tie = (from: number, to: number) =>
      `<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="9${from}${to}" name="c"/><p:cNvCxnSpPr><a:stCxn id="${from}" idx="2"/><a:endCxn id="${to}" idx="0"/></p:cNvCxnSpPr></p:nvCxnSpPr></p:cxnSp>`;
    const shapes = [
      box(2, '기획조정실장', 200, 100),
      box(3, '예산담당관', 320, 200),
      box(4, '정책기획관', 80, 200),
      box(5, '법무팀', 80, 300),
      tie(2, 3),
      tie(4, 2),
      tie(4, 5),
    ].join('');
    expect(await markdown({ shapes })).toBe(
      [
        '기획조정실장',
        '정책기획관',
        '예산담당관',
        '법무팀',
        '- 기획조정실장\n    - 정책기획관\n        - 법무팀\n    - 예산담당관',
      ].join('\n\n'),
    );
  });

  test('an empty presentation is refused', async () => {
    await expect(read(writePptx([]))).rejects.toMatchObject({ code: 'CORRUPTED' });
  });
});

describe('damage', () =>
  testDamage('pptx', readPptx, pptxParts([{ shapes: shape(line('가') + line('나')), notes: '다' }])));
