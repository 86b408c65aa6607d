import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import { attempt } from '../../../test/damage.ts';
import { boxData, type DocParagraph, koreanList, rowOf, sprm, writeDoc } from '../../../test/doc.ts';
import { type ReadOptions, standardLimits } from '../../reader.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { readDocument } from '../index.ts';
import { readDoc } from './index.ts';

const read = (bytes: Uint8Array, more: Partial<ReadOptions> = {}) =>
  readDocument(bytes, 'a.doc', { limits: standardLimits, pages: null, onPage: () => undefined, ...more });

const inTable = sprm(0x2416, 1);
const cell = (text: string, more: readonly number[] = []): DocParagraph => ({
  text: `${text}\u0007`,
  looks: [...inTable, ...more],
});
const rowEnd = (...looks: number[]): DocParagraph => ({
  text: '\u0007',
  looks: [...inTable, ...sprm(0x2417, 1), ...looks],
});
const styles = [
  { name: 'Normal', own: 0 },
  { name: '제목 1', own: 1 },
];

describe('DOC', () => {
  test('has headings by their styles, looks, lists, notes, fields and lines', async () => {
    const { format, blocks, warnings } = await read(
      writeDoc({
        styles,
        lists: koreanList,
        paragraphs: [
          { text: '사업 개요\r', style: 1 },
          {
            text: '굵은 글과 지운 글이다.\r',
            runs: [
              [0, 2, sprm(0x0835, 1)],
              [6, 9, sprm(0x0800, 1)],
            ],
          },
          { text: '주가 있다\u0002.\u000b둘째 줄\r', runs: [[5, 6, sprm(0x0855, 1)]] },
          { text: '첫째\r', looks: [...sprm(0x460b, 1, 0), ...sprm(0x260a, 0)] },
          { text: '둘째\r', looks: [...sprm(0x460b, 1, 0), ...sprm(0x260a, 0)] },
          { text: '앞 \u0013 HYPERLINK "https://a.kr/" \u0014링크\u0015 뒤\r' },
          { text: '개요 수준\r', looks: sprm(0x2640, 1) },
        ],
        notes: [{ text: '\u0002 각주의 글\r' }],
      }),
    );
    expect({ format, warnings }).toEqual({ format: 'doc', warnings: [] });
    expect(renderMarkdown(blocks)).toBe(
      [
        '# 사업 개요',
        '**굵은** 글과 글이다.',
        '주가 있다[^1].  \n둘째 줄',
        '[^1]: 각주의 글',
        '- 가. 첫째\n- 나. 둘째',
        '앞 [링크](<https://a.kr/>) 뒤',
        '## 개요 수준',
      ].join('\n\n'),
    );
  });

  test('has tables with cells over several columns and rows, and tables within them', async () => {
    const inner = [...inTable, ...sprm(0x6649, 2, 0, 0, 0)];
    const { blocks } = await read(
      writeDoc({
        paragraphs: [
          { text: '앞\r' },
          cell('구분'),
          cell('내용'),
          rowEnd(...sprm(0x3404, 1), ...rowOf([0, 1_000, 3_000])),
          cell('가', []),
          cell('나'),
          cell('다'),
          rowEnd(...rowOf([0, 1_000, 2_000, 3_000], [0x60])),
          cell(''),
          { text: '안 1\r', looks: [...inner, ...sprm(0x244b, 1)] },
          { text: '\r', looks: [...inner, ...sprm(0x244c, 1)] },
          cell('밖'),
          rowEnd(...rowOf([0, 1_000, 3_000], [0x20])),
          { text: '뒤\r' },
        ],
      }),
    );
    const [, table] = blocks;
    expect(brief(blocks)).toEqual(['p 앞', 't p 구분 | p 내용 | p 가 | p 나 | p 다 | t p 안 1 / p 밖', 'p 뒤']);
    expect(table).toMatchObject({ rows: 3, columns: 3, headerRows: 1 });
    const shapes = table?.type === 'table' ? table.cells.map(({ rowSpan, columnSpan }) => [rowSpan, columnSpan]) : [];
    expect(shapes).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [1, 1],
      [1, 1],
      [1, 2],
    ]);
  });

  test('has fields of forms with their states', async () => {
    const picture = [...sprm(0x0855, 1), ...sprm(0x6a03, 0, 0, 0, 0)];
    const paragraph: DocParagraph = {
      text: '동의 \u0013 FORMCHECKBOX \u0001\u0014\u0015 함\r',
      runs: [[18, 19, picture]],
    };
    const forms = async (isChecked: boolean) =>
      renderMarkdown((await read(writeDoc({ paragraphs: [paragraph], data: boxData('agree', isChecked) }))).blocks);
    expect(paragraph.text[18]).toBe('\u0001');
    expect([await forms(true), await forms(false)]).toEqual(['동의 ☑ 함', '동의 ☐ 함']);
  });

  test('is refused in words where it has a password, or is older', async () => {
    const paragraphs = [{ text: '글\r' }];
    await expect(read(writeDoc({ paragraphs, flags: 0x0100 }))).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const old = { code: 'UNSUPPORTED', savedAs: 'docx', message: expect.stringContaining('Word 6') as string };
    await expect(read(writeDoc({ paragraphs, kind: 0xa5dc }))).rejects.toMatchObject(old);
    await expect(read(writeDoc({ paragraphs }), { hasOffice: true })).rejects.toMatchObject({ savedAs: 'docx' });
  });

  test('damaged anywhere is read or refused', async () => {
    const whole = writeDoc({
      styles,
      lists: koreanList,
      paragraphs: [{ text: '제목\r', style: 1 }, cell('가'), rowEnd(...rowOf([0, 900]))],
    });
    const found = new Set<string>();
    for (let at = 512; at < whole.length; at += 37) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      found.add(await attempt(readDoc, 'doc', bytes));
    }
    expect([...found].toSorted()).toEqual(['read', 'refused']);
  });
});
