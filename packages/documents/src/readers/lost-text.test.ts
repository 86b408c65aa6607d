import { expect, test } from 'vitest';
import { paragraph, run, writeDocx } from '../../test/docx.ts';
import { epubParts, writeEpub, writeMsg } from '../../test/mail.ts';
import { cell, p, row, writeOdf } from '../../test/odf.ts';
import { line, pptxParts, shape } from '../../test/pptx.ts';
import { rows, text, xlsxParts } from '../../test/xlsx.ts';
import { type Parts, writeZip } from '../../test/zip.ts';
import { standardLimits } from '../reader.ts';
import { readDocument } from './index.ts';

const read = (bytes: Uint8Array, pages: ReadonlySet<number> | null = null) =>
  readDocument(bytes, null, { limits: standardLimits, pages, onPage: () => undefined });
const lostOf = async (bytes: Uint8Array, pages?: ReadonlySet<number>) => {
  const { warnings } = await read(bytes, pages);
  return warnings.filter(({ code }) => code === 'text_not_read').map(({ message }) => /\d+ %/.exec(message)?.[0]);
};

const words = '읽히는 글은 모두 이 문단에 있다 '.repeat(4);
const lost = '아는 이 없는 곳에 놓인 글이다 '.repeat(4);
/** The parts of a package with one of them changed. */
const changed = (parts: Parts, name: string, change: (content: string) => string): Buffer => {
  expect(parts.some(([part]) => part === name)).toBe(true);
  return writeZip(parts.map(([part, content]) => [part, part === name ? change(String(content)) : content]));
};

const unknown = (inner: string) => `<x:later xmlns:x="urn:later">${inner}</x:later>`;
const slides = (shapes: string) => pptxParts([{ shapes, notes: line(words) }]);
const comment = (id: number, content: string) =>
  `<w:comment w:id="${id}" w:author="가">${paragraph(content)}</w:comment>`;
const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
const spreadsheet = (content: string) => writeOdf({ kind: 'spreadsheet', body: content });
const sheet = (content: string) => `<table:table table:name="가">${content}</table:table>`;

test.each([
  ['DOCX: the text', writeDocx({ body: paragraph(words) + unknown(paragraph(lost)) })],
  ['DOCX: a box', writeDocx({ body: paragraph(words) + paragraph(`<w:r>${unknown(`<w:t>${lost}</w:t>`)}</w:r>`) })],
  [
    'DOCX: a header',
    writeDocx({
      body: `${paragraph(words)}<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>`,
      headers: { h: paragraph(words) + unknown(paragraph(lost)) },
    }),
  ],
  [
    'DOCX: a comment',
    writeDocx({ body: paragraph(run(words) + reference(1)), comments: comment(1, unknown(`<w:t>${lost}</w:t>`)) }),
  ],
  ['PPTX: a slide', writeZip(slides(shape(line(words)) + unknown(shape(line(lost)))))],
  [
    'PPTX: notes of the speaker',
    changed(slides(shape(line(words))), 'ppt/notesSlides/notes0.xml', (xml) =>
      xml.replace('</p:txBody>', `${unknown(line(lost))}</p:txBody>`),
    ),
  ],
  [
    'XLSX: cells',
    writeZip(xlsxParts([{ name: '가', data: rows(text('A1', words)) + unknown(rows(text('A2', lost))) }])),
  ],
  [
    'XLSX: strings that sheets share',
    writeZip(
      xlsxParts([{ name: '가', data: rows('<c r="A1" t="s"><v>0</v></c>', '<c r="A2" t="s"><v>2</v></c>') }], {
        strings: `<si><t>${words}</t></si><si/><si>${unknown(`<t>${lost}</t>`)}</si>`,
      }),
    ),
  ],
  ['ODT', writeOdf({ kind: 'text', body: p(words) + unknown(p(lost)) })],
  ['ODS', spreadsheet(sheet(row(cell(words)) + unknown(row(cell(lost)))))],
  [
    'ODP',
    writeOdf({
      kind: 'presentation',
      body: `<draw:page><draw:frame><draw:text-box>${p(words)}</draw:text-box></draw:frame>${unknown(p(lost))}</draw:page>`,
    }),
  ],
  [
    'EPUB: a chapter in a form that is not read',
    changed([...epubParts({ 'a.xhtml': `<p>${words}</p>`, 'b.xml': `<p>${lost}</p>` })], 'OEBPS/book.opf', (opf) =>
      opf.replace(
        'href="b.xml" media-type="application/xhtml+xml"',
        'href="b.xml" media-type="application/x-dtbook+xml"',
      ),
    ),
  ],
])('a part that is not read is told with its share: %s', async (_, bytes) => {
  const [share, ...others] = await lostOf(bytes);
  expect(share).toMatch(/^(?:2|3|4|5)\d %$/);
  expect(others).toEqual([]);
});

const deleted = `<w:del w:id="1">${run(lost)}</w:del><w:moveFrom w:id="2">${run(lost)}${reference(2)}</w:moveFrom>`;
const both = (inner: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${inner}</mc:Choice><mc:Fallback>${inner}</mc:Fallback></mc:AlternateContent>`;
const box = `<w:drawing><wps:txbx><w:txbxContent>${paragraph(words)}</w:txbxContent></wps:txbx></w:drawing>`;
const hint = `<w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent>${run(lost)}</w:sdtContent></w:sdt>`;
const condition = `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${run(lost)}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(words)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const titles = { h: paragraph(lost), i: paragraph(lost), j: paragraph(lost) };
const heads = ['h', 'i'].map((id) => `<w:headerReference w:type="default" r:id="${id}"/>`).join('');

test.each([
  [
    'DOCX: what was deleted or moved, forms for older programs, hints, what fields do, headers that pages share or none shows',
    writeDocx({
      body: `${paragraph(run(words) + deleted + both(`<w:r>${box}</w:r>`) + hint + condition)}<w:sectPr>${heads}</w:sectPr>`,
      comments: comment(2, lost) + comment(3, lost),
      headers: titles,
    }),
  ],
  [
    'PPTX: dates, and cells that others cover',
    writeZip(
      slides(
        `${shape(`${line(words)}<a:p><a:fld type="datetime1"><a:t>${lost}</a:t></a:fld></a:p>`)}<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody>${line(words)}</a:txBody></a:tc><a:tc hMerge="1"><a:txBody>${line(lost)}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
      ),
    ),
  ],
  [
    'XLSX: strings that no cell shows, and how words are spoken',
    writeZip(
      xlsxParts([{ name: '가', data: rows('<c r="A1" t="s"><v>1</v></c>') }], {
        strings: `<si><t>${lost}</t></si><si><t>${words}</t><rPh sb="0" eb="1"><t>${lost}</t></rPh></si>`,
      }),
    ),
  ],
  [
    'ODT: tracked changes, who wrote a comment, hidden words',
    writeOdf({
      kind: 'text',
      styles:
        '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>',
      body: `<text:tracked-changes><text:changed-region><text:deletion>${p(lost)}</text:deletion></text:changed-region></text:tracked-changes>${p(
        `${words}<text:span text:style-name="H">${lost}</text:span><office:annotation><dc:creator>${lost}</dc:creator>${p(words)}</office:annotation>`,
      )}<text:bibliography><text:index-body>${p(words)}</text:index-body></text:bibliography>`,
    }),
  ],
  ['ODS: cells that are repeated', spreadsheet(sheet(row(cell(words, 'table:number-columns-repeated="3"'))))],
  ['EPUB', writeEpub({ 'a.xhtml': `<p>${words}</p><script>${lost}</script><nav><a href="b">${lost}</a></nav>` })],
  ['MSG', writeMsg({ subject: '가', html: `<style>${lost}</style><p>${words}</p><!-- ${lost} -->` })],
])('what is left out on purpose is not lost: %s', async (_, bytes) => {
  expect(await lostOf(bytes)).toEqual([]);
  expect(JSON.stringify((await read(bytes)).blocks)).toContain(words.trim());
});

test('pages that were not asked for are not lost', async () => {
  const other = shape(line(lost));
  expect(await lostOf(writeZip(pptxParts([{ shapes: shape(line(words)) }, { shapes: other }])), new Set([1]))).toEqual(
    [],
  );
  const one = sheet(row(cell(words)));
  expect(await lostOf(spreadsheet(one + sheet(row(cell(lost)))), new Set([1]))).toEqual([]);
});

test('a mail whose page is a picture alone is read by its plain text; one in RTF alone is told', async () => {
  const mail = (html: string, plain: string) =>
    Buffer.from(
      `From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n--b--\r\n`,
    );
  expect(JSON.stringify((await read(mail('<img src="cid:1">', '글은 여기에 있다.'))).blocks)).toContain(
    '글은 여기에 있다.',
  );
  const { warnings } = await read(writeMsg({ subject: '가', rtf: Buffer.alloc(40) }));
  expect(warnings).toMatchObject([{ code: 'text_not_read' }]);
});
