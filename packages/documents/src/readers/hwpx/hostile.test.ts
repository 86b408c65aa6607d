import { expect, test } from 'vitest';
import { testDamage } from '../../../test/damage.ts';
import { cell, hwpxParts, list, paragraph as p, text, type HwpxForm } from '../../../test/hwpx.ts';
import { writeZip } from '../../../test/zip.ts';
import { standardLimits, type ReadOptions } from '../../reader.ts';
import { readHwpx } from './index.ts';

const options: ReadOptions = { limits: standardLimits, pages: null, onPage: () => {} };

const form: HwpxForm = {
  header:
    '<hh:charProperties><hh:charPr id="0" height="1000"/></hh:charProperties><hh:numberings><hh:numbering id="1"><hh:paraHead level="1" start="1" numFormat="HANGUL_SYLLABLE">^1.</hh:paraHead></hh:numbering></hh:numberings><hh:paraProperties><hh:paraPr id="0"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr><hh:paraPr id="1"/></hh:paraProperties>',
  sections: [
    p('제목', 'paraPrIDRef="0"', [0]) +
      p(
        `${text('앞')}<hp:tbl><hp:tr>${cell('가', [0, 0], [1, 2])}</hp:tr><hp:tr>${cell('나', [1, 0])}${cell('다', [1, 1])}</hp:tr></hp:tbl>`,
        'paraPrIDRef="1"',
        [1000],
      ) +
      p(`${text('끝')}<hp:ctrl><hp:footNote>${list(p('각주'))}</hp:footNote></hp:ctrl>`, 'paraPrIDRef="1"', [500]),
    p('둘째 구역이다.', 'paraPrIDRef="1"', [0]),
  ],
};
const parts = hwpxParts(form);
testDamage('hwpx', readHwpx, parts);

test('a bomb is refused', async () => {
  const bomb = writeZip(hwpxParts({ sections: [p('가'.repeat(20_000_000))] }));
  await expect(readHwpx(bomb, options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a file without sections, and one whose sections have nothing, are told apart', async () => {
  await expect(readHwpx(writeZip(hwpxParts({ sections: [] })), options)).rejects.toMatchObject({ code: 'CORRUPTED' });
  expect((await readHwpx(writeZip(hwpxParts({ sections: [p('')] })), options)).blocks).toEqual([]);
});

test('more pages than allowed are refused', async () => {
  const limits = { ...standardLimits, pages: 2 };
  const bytes = writeZip(hwpxParts({ sections: [p('가', '', [5000, 4000, 3000, 0])] }));
  await expect(readHwpx(bytes, { ...options, limits })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('long rows of line ends end', async () => {
  const ends = '\n'.repeat(100_000);
  const section = p(text(`${ends}  가 ${ends} 나${ends}`));
  const limits = { ...standardLimits, ratio: 10_000 };
  const { blocks } = await readHwpx(writeZip(hwpxParts({ sections: [section] })), { ...options, limits });
  expect(blocks).toMatchObject([{ type: 'paragraph', spans: [{ text: '가\n나' }] }]);
});

test('long lines of spaces and dots end', async () => {
  const section = p(`a${' '.repeat(200_000)}b`) + p('. '.repeat(200_000)) + p(`${'. '.repeat(50)} 3`);
  const limits = { ...standardLimits, ratio: 10_000 };
  const document = await readHwpx(writeZip(hwpxParts({ sections: [section] })), { ...options, limits });
  expect(document.blocks).toHaveLength(3);
  expect(document.blocks[2]).toMatchObject({ role: 'contents' });
});
