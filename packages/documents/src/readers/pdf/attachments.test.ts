import { expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { PdfWriter } from '../../../test/pdf.ts';
import { run, writeDocx } from '../../../test/docx.ts';
import { type ReadOptions, standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';

const read = (bytes: Uint8Array, more: Partial<ReadOptions> = {}) =>
  readDocument(bytes, null, { limits: standardLimits, pages: null, onPage: () => undefined, ...more });

const text = (words: string) => Buffer.from(words);
const docx = (words: string) => writeDocx({ body: `<w:p>${run(words)}</w:p>` });

function portfolio(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const pdf = new PdfWriter();
  pdf.page().text(72, 90, '표지의 글이다.');
  for (const [name, content] of Object.entries(files)) pdf.attach(name, content);
  return pdf.bytes();
}

test('files that are attached to a PDF follow its pages, each under its name', async () => {
  const bytes = portfolio({ '계약서.docx': docx('제1조 목적'), 'C:\\a\\붙임.txt': text('붙임의 글') });
  const { blocks, warnings } = await read(bytes);
  expect(warnings).toEqual([]);
  expect(brief(blocks)).toEqual(['p 표지의 글이다.', 'h1 계약서.docx', 'h2 제1조 목적', 'h1 붙임.txt', 'p 붙임의 글']);
  expect(blocks.at(-1)).toMatchObject({ page: null });
});

test('files that are pinned to pages follow in their order, each once', async () => {
  const pdf = new PdfWriter();
  pdf.page().text(72, 90, '첫 쪽의 글이다.');
  pdf.page().text(72, 90, '둘째 쪽의 글이다.');
  pdf.attach('나.txt', text('둘째 쪽에 붙인 글'), 2).attach('가.txt', text('첫 쪽에 붙인 글'), 1);
  pdf.attach('다.txt', text('문서에 붙인 글')).attach('다.txt', text('문서에 붙인 글'), 2);
  const bytes = pdf.bytes();
  const attached = [
    'h1 다.txt',
    'p 문서에 붙인 글',
    'h1 가.txt',
    'p 첫 쪽에 붙인 글',
    'h1 나.txt',
    'p 둘째 쪽에 붙인 글',
  ];
  expect(brief((await read(bytes)).blocks)).toEqual(['p 첫 쪽의 글이다.', 'p 둘째 쪽의 글이다.', ...attached]);
  expect(brief((await read(bytes, { pages: new Set([2]) })).blocks)).toEqual(['p 둘째 쪽의 글이다.']);
});

test('a PDF whose only page is a picture is read for its files', async () => {
  const pdf = new PdfWriter();
  pdf.page().image(0, 0, 595, 842);
  const { blocks, warnings } = await read(pdf.attach('붙임.txt', text('붙임의 글')).bytes());
  expect(brief(blocks).slice(-2)).toEqual(['h1 붙임.txt', 'p 붙임의 글']);
  expect(warnings).toMatchObject([{ code: 'page_without_text', page: 1 }]);
});

test('what says for programs what the pages say is left out', async () => {
  const bytes = portfolio({
    'factur-x.xml': text('<?xml version="1.0"?><a>1,200</a>'),
    'Original.odt': docx('표지의 글이다.'),
    'print.joboptions': text('<< /Optimize false >> setdistillerparams'),
  });
  expect(brief((await read(bytes)).blocks)).toEqual(['p 표지의 글이다.']);
});

test('what can not be read of them is told; who asks for pages gets those alone', async () => {
  const bytes = portfolio({ 'a.exe': text('MZ\0\0'), '빈.docx': text('') });
  const { blocks, warnings } = await read(bytes);
  expect(brief(blocks)).toEqual(['p 표지의 글이다.', 'h1 a.exe', 'h1 빈.docx']);
  expect(warnings).toMatchObject([
    { code: 'attachment_not_read', message: expect.stringContaining('a.exe') as string },
    { code: 'attachment_not_read', message: expect.stringContaining('빈.docx') as string },
  ]);
  expect(brief((await read(bytes, { pages: new Set([1]) })).blocks)).toEqual(['p 표지의 글이다.']);
});

test('PDF within PDF is read as deep as files may lie in each other, within the same limits', async () => {
  let bytes = portfolio({ 'a.txt': text('가장 안쪽') });
  for (let at = 0; at < 4; at++) bytes = portfolio({ [`${at}.pdf`]: bytes });
  const { blocks, warnings } = await read(bytes);
  expect(brief(blocks)).toHaveLength(8);
  expect(warnings).toMatchObject([{ code: 'attachment_not_read' }]);
  const small = { limits: { ...standardLimits, inflatedBytes: 4_000 } };
  expect((await read(portfolio({ 'a.txt': text('가'.repeat(2_000)) }), small)).warnings).toMatchObject([
    { code: 'attachment_not_read' },
  ]);
});
