import { expect, test } from 'vitest';
import { makeDocument } from '@ai-studio/documents/write';
import { blockText, standardLimits } from '@ai-studio/documents';
import { readDocument } from '@ai-studio/documents/readers';
import { writeDocument as write } from './write-document.ts';

const writeDocument = (name: string, value: unknown) =>
  write(
    async (job) => {
      const result = await makeDocument(job);
      if ('refused' in result) throw new Error(result.refused.message);
      return result.made;
    },
    name,
    value,
  );
const textOf = async (name: string, value: unknown) => (await writeDocument(name, value)).bytes.toString();

test('the end of a name says what is written', async () => {
  const rows = [
    { a: 1, b: 'x, "y"' },
    { b: null, c: { d: [1] } },
  ];
  expect(await textOf('t.csv', rows)).toBe('\uFEFFa,b,c\r\n1,"x, ""y""",\r\n,,"{""d"":[1]}"\r\n');
  expect(await textOf('t.CSV', [['a', 1], 'b'])).toBe('\uFEFFa,1\r\nb\r\n');
  expect(await textOf('t.csv', { a: 1 })).toBe('\uFEFFa\r\n1\r\n');
  // A spreadsheet would work it out.
  expect(await textOf('t.csv', [{ a: '=1+1' }])).toBe("\uFEFFa\r\n'=1+1\r\n");
  expect(await textOf('t.json', rows)).toBe(`${JSON.stringify(rows, null, 2)}\n`);
  expect(await textOf('t.md', rows)).toBe(JSON.stringify(rows));
  for (const name of ['t.json', 't.html', 't.py']) expect(await textOf(name, 'as it is')).toBe('as it is');
  // Excel takes a table without the mark for another encoding, also one that a model has written.
  for (const given of ['이름,값\n', '\uFEFF이름,값\n']) expect(await textOf('t.csv', given)).toBe('\uFEFF이름,값\n');
});

test.each(['정산.xlsx', '발표.pptx', '공문.HWP', 'a.doc', 'a.png'])(
  'nothing that is called %s is written',
  async (name) => {
    await expect(writeDocument(name, '# 글')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(
        /^No \.[a-z]+ file is written; end the name with one of \.docx, \.hwpx, \.pdf, \.csv/,
      ),
    });
  },
);

test('a file has a name with an end', async () => {
  const files = await Promise.all(['', '보고서', 'v1.2.md', 'a.b c'].map((name) => writeDocument(name, 'x')));
  expect(files.map(({ name }) => name)).toEqual(['answer.md', '보고서.txt', 'v1.2.md', 'a.b c.txt']);
});

test('a table of rows without a name in common is refused before it is written', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ [`k${index}`]: index }));
  await expect(writeDocument('t.csv', rows)).rejects.toThrow(/1000000 cells/);
});

test.each(['docx', 'hwpx'])('what is called %s is one: Markdown, or a table of a list', async (ending) => {
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  const blocksOf = async (value: unknown) => {
    const { name, bytes } = await writeDocument(`보고.${ending}`, value);
    return (await readDocument(bytes, name, options)).blocks;
  };
  expect(await blocksOf('# 개요\n\n글')).toMatchObject([{ type: 'heading', level: 1 }, { type: 'paragraph' }]);
  expect(await blocksOf([{ 이름: '가|나', 값: 1 }, { 이름: '다' }])).toMatchObject([
    { type: 'table', rows: 3, columns: 2 },
  ]);
  const signs = String.raw`1*2*3 <b>x</b> a\|b| [t](http://x.kr) www.x.kr a@b.kr _c_ ~~d~~ $e$ &amp; [^1] # -`;
  const [table] = await blocksOf([{ [signs]: signs, n: 1 }]);
  const cells = table?.type === 'table' ? table.cells.map(({ blocks }) => blocks.map(blockText).join('')) : [];
  expect(cells).toEqual([signs, 'n', signs, '1']);
  const lines = await blocksOf([{ a: ` 1 \n\n${' '.repeat(300_000)}2` }]);
  expect(lines.map(blockText)).toEqual([expect.stringMatching(/a\s*1 2$/)]);
  expect((await blocksOf([1, signs])).map(blockText)).toEqual([JSON.stringify([1, signs])]);
  for (const nothing of [[], {}, [{}]]) expect(await blocksOf(nothing)).toEqual([]);
});
