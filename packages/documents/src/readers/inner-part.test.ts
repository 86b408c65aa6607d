import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { brief } from '../../test/brief.ts';
import { run, writeDocx } from '../../test/docx.ts';
import { writeCompound } from '../../test/hwp-writer/index.ts';
import { PdfWriter } from '../../test/pdf.ts';
import { line, shape, writePptx } from '../../test/pptx.ts';
import { text, writeXlsx, xlsxParts } from '../../test/xlsx.ts';
import { writeZip } from '../../test/zip.ts';
import { standardLimits } from '../reader.ts';
import { readDocument } from './index.ts';

const read = (bytes: Uint8Array, limits = standardLimits) =>
  readDocument(bytes, null, { limits, pages: null, onPage: () => undefined });

const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`;
const table = (word: string) =>
  row(1, text('A1', '항목'), text('B1', word)) + row(2, text('A2', '인건비'), text('B2', '1,200'));
const budget = writeXlsx(
  [
    { name: '기초', data: table('원') },
    { name: '예산', data: table('천원') + row(9, text('A9', '밖의 메모'), text('D1', '옆의 메모')) },
  ],
  { open: 1, shown: 'A1:B4' },
);

const p = (inner: string) => `<w:p>${inner}</w:p>`;
const object = (id: string) =>
  `<w:r><w:object><v:shape><v:imagedata r:id="none"/></v:shape><o:OLEObject Type="Embed" r:id="${id}"/></w:object></w:r>`;
const frame = (id: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="o"/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole"><p:oleObj r:id="${id}" progId="Excel.Sheet.12"><p:embed/></p:oleObj></a:graphicData></a:graphic></p:graphicFrame>`;

describe('a document that a frame shows', () => {
  test('in DOCX: of a workbook the open sheet as far as the frame reaches, once', async () => {
    const body = p(run('앞의 글이다.')) + p(object('b.xlsx')) + p(object('b.xlsx')) + p(run('뒤의 글이다.'));
    const { blocks, warnings } = await read(writeDocx({ body, embeddings: { 'b.xlsx': budget } }));
    expect(warnings).toEqual([]);
    expect(brief(blocks)).toEqual([
      'p 앞의 글이다.',
      'i ',
      't p 항목 | p 천원 | p 인건비 | p 1,200',
      'i ',
      'p 뒤의 글이다.',
    ]);
  });

  test('in PPTX, on the page of its slide', async () => {
    const slides = [{ shapes: shape(line('글')) }, { shapes: frame('b.xlsx'), embeddings: { 'b.xlsx': budget } }];
    const { blocks, warnings } = await read(writePptx(slides));
    expect(warnings).toEqual([]);
    expect(blocks).toMatchObject([
      { type: 'paragraph', page: 1 },
      { type: 'image', page: 2 },
      { type: 'table', page: 2, rows: 2, columns: 2 },
    ]);
  });

  test('in XLSX, behind the tables of its sheet', async () => {
    const embeddings = { 'a.docx': writeDocx({ body: p(run('시트의 글')) }) };
    const { blocks } = await read(
      writeXlsx([
        { name: '첫째', data: table('원') },
        { name: '둘째', data: '', embeddings },
      ]),
    );
    expect(blocks).toMatchObject([
      { type: 'heading', page: 1 },
      { type: 'table', page: 1 },
      { type: 'paragraph', page: 2, spans: [{ text: '시트의 글' }] },
    ]);
  });

  test('other documents are read whole, as deep as files may lie in each other', async () => {
    const inside = (embeddings: Record<string, Uint8Array>, words: string) =>
      writeDocx({
        body:
          p(run(words)) +
          Object.keys(embeddings)
            .map((name) => p(object(name)))
            .join(''),
        embeddings,
      });
    let file = inside({ 'b.xlsx': budget }, '다섯째');
    for (const words of ['넷째', '셋째', '둘째', '첫째']) file = inside({ 'a.docx': file }, words);
    const { blocks, warnings } = await read(file);
    expect(brief(blocks)).toEqual(['p 첫째', 'i ', 'p 둘째', 'i ', 'p 셋째', 'i ', 'p 넷째', 'i ']);
    expect(warnings).toMatchObject([{ code: 'part_ignored', message: expect.stringContaining('too deep') as string }]);
  });

  test('what no reader reads is a picture, and what is damaged or missing is told', async () => {
    const body = ['a.vsdx', 'b.xlsx', 'c.xlsx', 'none'].map((id) => p(object(id))).join('');
    const drawing = writeZip([['visio/document.xml', '<a/>']]);
    const [relations] = xlsxParts([]);
    if (relations === undefined) throw new Error('a workbook has parts');
    const embeddings = { 'a.vsdx': drawing, 'b.xlsx': Buffer.from('PK'), 'c.xlsx': writeZip([relations]) };
    const { blocks, warnings } = await read(writeDocx({ body: p(run('글')) + body, embeddings }));
    expect(brief(blocks)).toEqual(['p 글', 'i ', 'i ', 'i ', 'i ']);
    expect(warnings.map(({ message }) => /\((.*?)\)/u.exec(message)?.[1])).toEqual(['b.xlsx', 'c.xlsx']);
  });

  test('may lie in an object: of a newer program, as a PDF, as a file that was put in', async () => {
    const packed = (name: string, bytes: Buffer) => {
      const size = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
      const path = Buffer.from('C:\\temp\\a.txt\0');
      const label = Buffer.concat([iconv.encode(name, 'cp949'), Buffer.alloc(1)]);
      const flags = Buffer.from([2, 0]);
      const content = [flags, label, path, size(0x30000), size(path.length), path, size(bytes.length), bytes];
      return Buffer.concat([size(Buffer.concat(content).length), ...content, Buffer.alloc(6)]);
    };
    const pdf = new PdfWriter();
    pdf.page().text(72, 90, '쪽의 글이다.');
    const embeddings = {
      'a.bin': writeCompound({ Package: budget, '\u0003ObjInfo': Buffer.alloc(6) }),
      'b.bin': writeCompound({ '\u0001Ole10Native': packed('회의 안내.md', Buffer.from('# 회의\n\n목요일이다.')) }),
      'c.bin': writeCompound({ '\u0001Ole10Native': packed('a.exe', Buffer.from('MZ\0\0')) }),
      'd.bin': writeCompound({ 'Equation Native': Buffer.alloc(9), CONTENTS: Buffer.alloc(9) }),
      'e.bin': writeCompound({ CONTENTS: pdf.bytes() }),
      'f.bin': writeCompound({ '\u0001Ole10Native': Buffer.from([9, 0, 0, 0, 2, 0, 65]) }),
    };
    const body = Object.keys(embeddings).map((id) => p(object(id)));
    const { blocks, warnings } = await read(writeDocx({ body: p(run('글')) + body.join(''), embeddings }));
    expect(warnings).toEqual([]);
    expect(brief(blocks).filter((one) => one !== 'i ')).toEqual([
      'p 글',
      't p 항목 | p 천원 | p 인건비 | p 1,200',
      'h1 회의',
      'p 목요일이다.',
      'p 쪽의 글이다.',
    ]);
  });

  test('shares the limits of the file that it lies in', async () => {
    const body = Array.from({ length: 3 }, (_, at) => p(object(`${at}.xlsx`))).join('');
    const embeddings = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`${at}.xlsx`, budget]));
    const { warnings } = await read(writeDocx({ body: p(run('글')) + body, embeddings }), {
      ...standardLimits,
      cells: 14,
    });
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/2\.xlsx.*more than 14 table cells/u) as string },
    ]);
  });
});
