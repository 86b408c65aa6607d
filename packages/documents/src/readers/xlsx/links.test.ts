import { expect, test } from 'vitest';
import { rows, text, xlsxParts } from '../../../test/xlsx.ts';
import { writeZip } from '../../../test/zip.ts';
import { standardLimits } from '../../reader.ts';
import { readXlsx } from './index.ts';

const office = 'http://schemas.openxmlformats.org';
const link = (id: string, address: string) =>
  `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/hyperlink" Target="${address}" TargetMode="External"/>`;

test('cells lead where their links and formulas do; heads and feet of pages are marked, without numbers', async () => {
  const parts = xlsxParts([
    {
      name: '가',
      data: rows(
        text('A1', '이름') + text('B1', '주소'),
        text('A2', '하나') + text('B2', '둘'),
        `${text('A3', '셋')}<c r="B3" t="str"><f>HYPERLINK("https://c.kr","넷")</f><v>넷</v></c>`,
      ),
      after: `<hyperlinks xmlns:r="${office}/officeDocument/2006/relationships"><hyperlink ref="A2" r:id="a"/><hyperlink ref="B1:B2" r:id="b"/><hyperlink ref="A3" location="가!A1"/></hyperlinks><headerFooter><oddHeader>&amp;L&amp;"맑은 고딕,Bold"&amp;12대외비&amp;C&amp;P / &amp;N&amp;RR&amp;&amp;D 부서</oddHeader><oddFooter>&amp;C- &amp;P -</oddFooter></headerFooter>`,
    },
  ]);
  const relations = `<Relationships xmlns="${office}/package/2006/relationships">${link('a', 'https://a.kr')}${link('b', 'https://b.kr')}</Relationships>`;
  const { blocks } = await readXlsx(writeZip([...parts, ['xl/worksheets/_rels/sheet0.xml.rels', relations]]), {
    limits: standardLimits,
    pages: null,
    onPage: () => undefined,
  });
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'heading', 'table']);
  expect(blocks[0]).toMatchObject({ blocks: [{ spans: [{ text: '대외비' }] }, { spans: [{ text: 'R&D 부서' }] }] });
  const [, , table] = blocks;
  const spans =
    table?.type === 'table'
      ? table.cells.flatMap((cell) => cell.blocks.flatMap((block) => ('spans' in block ? block.spans : [])))
      : [];
  expect(spans).toEqual([
    { text: '이름' },
    { text: '주소', link: 'https://b.kr' },
    { text: '하나', link: 'https://a.kr' },
    { text: '둘', link: 'https://b.kr' },
    { text: '셋' },
    { text: '넷', link: 'https://c.kr' },
  ]);
});
