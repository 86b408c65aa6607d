import { expect, test } from 'vitest';
import * as word from '../../../test/docx.ts';
import * as hancom from '../../../test/hwpx.ts';
import { writeZip } from '../../../test/zip.ts';
import { openPackage } from '../../package/zip.ts';
import { standardLimits } from '../../reader.ts';
import { fillTemplate } from './index.ts';

const partOf = async (bytes: Uint8Array, name: string): Promise<string> =>
  new TextDecoder().decode((await (await openPackage(bytes, standardLimits)).read(name)) ?? new Uint8Array());
const line = (text: string) => word.paragraph(word.run(text));

const renamed = (main: string, file: string) =>
  writeZip(
    word
      .docxParts({ body: line('{{a}}'), headers: { header1: line('{{b}}') }, footnotes: line('{{c}}') })
      .map(([name, content]) => [
        name.replaceAll('word/', main).replaceAll('document.xml', file).replace('header1.xml', 'kopf.xml'),
        typeof content === 'string'
          ? content.replaceAll('word/document.xml', `/${main}${file}`).replaceAll('"header1.xml"', '"kopf.xml"')
          : content,
      ]),
  );

test('parts with text are those that the relations of the package lead to, whatever they are called', async () => {
  const filled = await fillTemplate(renamed('word/', 'main2.xml'), { a: '가', b: '나', c: '다' }, standardLimits);
  expect(filled).toMatchObject({ unfilled: [], unused: [] });
  expect(await partOf(filled.bytes, 'word/main2.xml')).toContain('>가<');
  expect(await partOf(filled.bytes, 'word/kopf.xml')).toContain('>나<');
  expect(await partOf(filled.bytes, 'word/footnotes.xml')).toContain('>다<');
});

test('sections of Hancom Office are found in any folder', async () => {
  const parts = hancom.hwpxParts({ sections: [hancom.paragraph('{{a}}')] });
  const moved = parts.map(([name, ...rest]) => [name.replace('Contents/section0', 'Contents/sub/section0'), ...rest]);
  const { unfilled, bytes } = await fillTemplate(
    writeZip(moved as unknown as typeof parts),
    { a: '가' },
    standardLimits,
  );
  expect(unfilled).toEqual([]);
  expect(await partOf(bytes, 'Contents/sub/section0.xml')).toContain('가');
});

const types = (main: string) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/${main}.main+xml"/></Types>`;
const typed = (main: string) =>
  writeZip([['[Content_Types].xml', types(main)], ...word.docxParts({ body: line('{{a}}') })]);
const office = 'vnd.openxmlformats-officedocument.wordprocessingml';

test('a template file of Word becomes a document, one with macros is refused', async () => {
  for (const kind of ['template', 'document']) {
    const { bytes } = await fillTemplate(typed(`${office}.${kind}`), { a: '가' }, standardLimits);
    expect(await partOf(bytes, '[Content_Types].xml')).toContain(types(`${office}.document`).slice(6));
  }
  for (const kind of ['document.macroEnabled', 'template.macroEnabledTemplate'])
    await expect(fillTemplate(typed(`vnd.ms-word.${kind}`), { a: '가' }, standardLimits)).rejects.toThrow(/has macros/);
});

test('a package of Word without a document is refused', async () => {
  const parts = word.docxParts({ body: line('{{a}}') }).filter(([name]) => name !== 'word/document.xml');
  await expect(fillTemplate(writeZip(parts), {}, standardLimits)).rejects.toThrow(/no document in it/);
});

test('the text beside an HWPX file says what was filled in', async () => {
  const table = `<hp:tbl rowCnt="1" colCnt="1"><hp:tr>${hancom.cell('{{list.x}}', [0, 0])}</hp:tr></hp:tbl>`;
  const file = hancom.writeHwpx({
    sections: [hancom.paragraph('성명 {{name}}') + hancom.paragraph(table)],
    others: { 'Preview/PrvText.txt': '성명 {{name}}\n{{list.x}}' },
  });
  const data = { name: '홍길동', list: [{ x: '책상' }, { x: `의자${'가'.repeat(1_000)}` }] };
  const preview = await partOf((await fillTemplate(file, data, standardLimits)).bytes, 'Preview/PrvText.txt');
  expect(preview).toMatch(/^성명 홍길동\r\n책상\r\n의자가+$/);
  expect(preview).toHaveLength(1_000);
});
