import { expect, test } from 'vitest';
import * as word from '../../../test/docx.ts';
import * as hancom from '../../../test/hwpx.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../../readers/index.ts';
import { fillTemplate } from './index.ts';

const readOptions = { limits: standardLimits, pages: null, onPage: () => undefined };
const data = { list: [{ x: '가' }, { x: '나' }] };
const begins = '<w:vMerge w:val="restart"/>';
const goesOn = '<w:vMerge/>';
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const fill = (...rows: string[]) =>
  fillTemplate(word.writeDocx({ body: `<w:tbl>${rows.join('')}</w:tbl>${word.paragraph('')}` }), data, standardLimits);
const placesIn = async (bytes: Uint8Array) => {
  const { blocks } = await readDocument(bytes, 'a.docx', readOptions);
  const table = blocks.find((block) => block.type === 'table');
  return table?.cells.map((cell) => [cell.row, cell.column, cell.rowSpan]);
};

test('a row with a cell that reaches over the next one is not repeated: Word', async () => {
  const wide = '<w:gridSpan w:val="2"/>';
  await expect(
    fill(
      row(word.cell('머리', wide), word.cell('다')),
      row(word.cell('{{list.x}}'), word.cell('2'), word.cell('합친', begins)),
      row(word.cell('4', wide), word.cell('', goesOn)),
    ),
  ).rejects.toThrow(/row of \{\{list\}\} has a cell over several rows/);
});

test('a row with a cell that reaches over the next one is not repeated: Hancom Office', async () => {
  const cells = [
    [hancom.cell('{{list.x}}', [0, 0]), hancom.cell('합친', [0, 1], [2, 1])],
    [hancom.cell('2', [1, 0])],
  ].map((own) => `<hp:tr>${own.join('')}</hp:tr>`);
  const section = hancom.paragraph(`<hp:tbl rowCnt="2" colCnt="2">${cells.join('')}</hp:tbl>`);
  await expect(fillTemplate(hancom.writeHwpx({ sections: [section] }), data, standardLimits)).rejects.toThrow(
    /has a cell over several rows/,
  );
});

test('a cell from above reaches over all rows that are made, one that begins and ends in its row stays in each', async () => {
  const { bytes } = await fill(
    row(word.cell('구분', begins), word.cell('머리')),
    row(word.cell('', goesOn), word.cell('{{list.x}}', begins)),
    row(word.cell('', goesOn), word.cell('끝', begins)),
    row(word.cell('합계'), word.cell('2')),
  );
  expect(await placesIn(bytes)).toEqual([
    [0, 0, 4],
    [0, 1, 1],
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
    [4, 0, 1],
    [4, 1, 1],
  ]);
});
