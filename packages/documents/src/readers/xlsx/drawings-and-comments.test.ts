import { expect, test } from 'vitest';
import { rows, text, xlsxParts } from '../../../test/xlsx.ts';
import { type Parts, writeZip } from '../../../test/zip.ts';
import { standardLimits } from '../../reader.ts';
import { readXlsx } from './index.ts';

const office = 'http://schemas.openxmlformats.org';
const kinds = `${office}/officeDocument/2006/relationships`;
const threads = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
const relations = (...targets: readonly (readonly [kind: string, target: string])[]) =>
  `<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(([kind, target], at) => `<Relationship Id="r${at}" Type="${kinds}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const read = async (parts: Parts) => {
  const workbook = xlsxParts([{ name: '가', data: rows(text('A1', '값'), text('A2', '하나')) }]);
  const given = new Set(parts.map(([name]) => name));
  return readXlsx(writeZip([...workbook.filter(([name]) => !given.has(name)), ...parts]), {
    limits: standardLimits,
    pages: null,
    onPage: () => undefined,
  });
};

test('charts, boxes of text and pictures follow the cells with their words', async () => {
  const series =
    '<c:ser><c:tx><c:v>오리</c:v></c:tx><c:cat><c:v>2019</c:v></c:cat><c:val><c:v>4.4000000000000004</c:v></c:val></c:ser>';
  const { blocks } = await read([
    ['xl/worksheets/_rels/sheet0.xml.rels', relations(['drawing', '../drawings/drawing1.xml'])],
    ['xl/drawings/_rels/drawing1.xml.rels', relations(['chart', '../charts/chart1.xml'])],
    [
      'xl/drawings/drawing1.xml',
      `<xdr:wsDr xmlns:xdr="${office}/drawingml/2006/spreadsheetDrawing" xmlns:a="${office}/drawingml/2006/main" xmlns:r="${kinds}"><xdr:twoCellAnchor><xdr:graphicFrame><a:graphic><c:chart xmlns:c="${office}/drawingml/2006/chart" r:id="r0"/></a:graphic></xdr:graphicFrame></xdr:twoCellAnchor><xdr:oneCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>상자 글</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:oneCellAnchor><xdr:oneCellAnchor><xdr:pic><xdr:nvPicPr><xdr:cNvPr descr="한강"/></xdr:nvPicPr></xdr:pic></xdr:oneCellAnchor></xdr:wsDr>`,
    ],
    [
      'xl/charts/chart1.xml',
      `<c:chartSpace xmlns:c="${office}/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart>${series}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    ],
  ]);
  expect(blocks.slice(2)).toEqual([
    {
      type: 'image',
      page: 1,
      text: '오리 — 2019: 4.4',
      figures: [
        ['', '오리'],
        ['2019', '4.4'],
      ],
    },
    { type: 'paragraph', page: 1, spans: [{ text: '상자 글' }] },
    { type: 'image', page: 1, alt: '한강' },
  ]);
});

test('comments name their cell and who wrote them; threads take the place of what stands for them', async () => {
  const main = `${office}/spreadsheetml/2006/main`;
  const { blocks } = await read([
    [
      'xl/worksheets/_rels/sheet0.xml.rels',
      relations(['comments', '../comments1.xml'], ['threadedComment', '../threadedComments/thread1.xml']),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(['worksheet', 'worksheets/sheet0.xml'], ['person', 'persons/person.xml']).replace('Id="r0"', 'Id="s0"'),
    ],
    ['xl/persons/person.xml', `<personList xmlns="${threads}"><person id="{1}" displayName="이두리"/></personList>`],
    [
      'xl/comments1.xml',
      `<comments xmlns="${main}"><authors><author>김하나</author></authors><commentList><comment ref="A2" authorId="0"><text><r><t>확인 바람</t></r></text></comment><comment ref="A1" authorId="0"><text><t>[Threaded comment]</t></text></comment></commentList></comments>`,
    ],
    [
      'xl/threadedComments/thread1.xml',
      `<ThreadedComments xmlns="${threads}"><threadedComment ref="A1" personId="{1}"><text>단위는?</text></threadedComment></ThreadedComments>`,
    ],
  ]);
  const paragraph = (words: string) => [{ type: 'paragraph', page: 1, spans: [{ text: words }] }];
  expect(blocks.slice(2)).toMatchObject([
    { kind: 'comment', marker: 'A1', author: '이두리', blocks: paragraph('단위는?') },
    { kind: 'comment', marker: 'A2', author: '김하나', blocks: paragraph('확인 바람') },
  ]);
});
