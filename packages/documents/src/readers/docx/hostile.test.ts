import { expect, test } from 'vitest';
import { attempt, testDamage } from '../../../test/damage.ts';
import { cell, docxParts, paragraph as p, run, type DocxForm } from '../../../test/docx.ts';
import { writeZip } from '../../../test/zip.ts';
import { standardLimits, type ReadOptions } from '../../reader.ts';
import { readDocx } from './index.ts';

const options: ReadOptions = { limits: standardLimits, pages: null, onPage: () => {} };

const form: DocxForm = {
  styles: '<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/><w:basedOn w:val="h"/></w:style>',
  numbering:
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="ganada"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
  footnotes: `<w:footnote w:id="1">${p('각주')}</w:footnote>`,
  body:
    p('제목', '<w:pStyle w:val="h"/>') +
    p('항목', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
    `<w:tbl><w:tr>${cell('가', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('나', '<w:vMerge w:val="restart"/>')}${cell('다')}</w:tr></w:tbl>` +
    p(`${run('끝')}<w:r><w:footnoteReference w:id="1"/></w:r><w:r><w:lastRenderedPageBreak/></w:r>`),
};
const parts = docxParts(form);
testDamage('docx', readDocx, parts);

test('a bomb is refused', async () => {
  const bomb = writeZip(docxParts({ body: p('가'.repeat(20_000_000)) }));
  await expect(readDocx(bomb, options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('entities are refused', async () => {
  const evil = writeZip(
    parts.map(([name, content]) =>
      name === 'word/document.xml'
        ? [name, content.toString().replace('?>', '?><!DOCTYPE a [<!ENTITY b "bbbb">]>')]
        : [name, content],
    ),
  );
  await expect(readDocx(evil, options)).rejects.toMatchObject({ code: 'CORRUPTED' });
});

test('styles and numbers that go round in a circle end', async () => {
  const style = (id: string, based: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${based}"/></w:style>`;
  const bytes = writeZip(
    docxParts({ body: p('글', '<w:pStyle w:val="a"/>'), styles: style('a', 'b') + style('b', 'a') }),
  );
  expect(await attempt(readDocx, 'docx', bytes)).toBe('read');
});

test('more characters than allowed are refused', async () => {
  const limits = { ...standardLimits, characters: 10 };
  const bytes = writeZip(docxParts({ body: p('열한 글자가 넘는 문장이다.') }));
  await expect(readDocx(bytes, { ...options, limits })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a chart that is shown many times counts each time', async () => {
  const chart = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><a:t>${'가'.repeat(50_000)}</a:t></c:title></c:chart></c:chartSpace>`;
  const shown = '<w:r><w:drawing><wp:inline><wp:docPr/><c:chart r:id="chart1"/></wp:inline></w:drawing></w:r>';
  const bytes = writeZip(docxParts({ body: p(shown.repeat(2_000)), others: { chart1: ['chart', chart] } }));
  await expect(readDocx(bytes, options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('long lines of spaces and dots end', async () => {
  const body = p(`a${' '.repeat(200_000)}b`) + p('. '.repeat(200_000)) + p(`${'. '.repeat(50)} 3`);
  const document = await readDocx(writeZip(docxParts({ body })), {
    ...options,
    limits: { ...standardLimits, ratio: 10_000 },
  });
  expect(document.blocks).toHaveLength(3);
  expect(document.blocks[2]).toMatchObject({ role: 'contents' });
});
