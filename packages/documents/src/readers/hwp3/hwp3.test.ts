import { describe, expect, test } from 'vitest';
import { brief } from '../../../test/brief.ts';
import {
  autoNumber,
  bookmark,
  box,
  comment,
  dateCode,
  drawing,
  field,
  type Hwp3Form,
  image,
  margin,
  note,
  outline,
  paragraph as p,
  type Piece,
  signature,
  tab,
  table,
  writeHwp3,
} from '../../../test/hwp3.ts';
import { standardLimits } from '../../reader.ts';
import { readDocument } from '../index.ts';
import { letterText } from './letters.ts';

const options = { limits: standardLimits, pages: null, onPage: () => undefined };
const read = (form: Hwp3Form, given = {}) => readDocument(writeHwp3(form), 'old.hwp', { ...options, ...given });
const blocksOf = async (...paragraphs: readonly Buffer[]) => (await read({ paragraphs })).blocks;
const lineOf = async (...pieces: readonly Piece[]) => brief(await blocksOf(p(pieces)));

test('text, title, author, paper and pages come back, packed or not', async () => {
  for (const compressed of [true, false]) {
    const document = await read({
      paragraphs: [
        p('첫 쪽의 글이다.', { lines: [false, false] }),
        p('다음 쪽에서 시작한다.', { lines: [true] }),
        p('쪽을 넘어간다.', { lines: [false, true] }),
        p('셋째 쪽의 글이다.', { lines: [false] }),
      ],
      title: '옛 문서',
      author: '홍길동',
      compressed,
    });
    expect(document).toMatchObject({ format: 'hwp', meta: { title: '옛 문서', author: '홍길동' }, warnings: [] });
    expect(document.pages).toEqual([1, 2, 3].map((number) => ({ number, width: 595, height: 842 })));
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 2, 2, 3]);
    expect(brief(document.blocks)[1]).toBe('p 다음 쪽에서 시작한다.');
  }
});

test.each([
  ['syllables', 0x8861, '가'],
  ['a consonant alone', 0x8841, 'ㄱ'],
  ['a vowel alone', 0x8461, 'ㅏ'],
  ['a final alone', 0x8442, 'ㄱ'],
  ['the old vowel alone', 0x87c1, 'ㆍ'],
  ['a syllable with the old vowel', 0xd3c5, 'ᄒᆞᆫ'],
  ['a Roman number', 0x3590, 'Ⅰ'],
  ['a number in a ring', 0x36e7, '①'],
  ['an arrow', 0x3446, '→'],
  ['a Chinese character', 0x4000, '伽'],
  ['the last Chinese character', 0x4000 + 4887, '詰'],
  ['a quotation mark of its own', 0x81, '“'],
  ['a bullet of its own', 0x2f11, '◦'],
  ['what is not known', 0x7fff, ''],
])('letters are decoded: %s', (_, code, text) => {
  expect(letterText(code)).toBe(text);
});

test('looks of letters, tabs, dates, spaces and fields stand in the text', async () => {
  expect(await lineOf('가', tab, '나', bookmark, field(Buffer.alloc(30)), dateCode(2001, 3, 5), '다')).toEqual([
    'p 가\t나2001. 3. 5.다',
  ]);
  const [block] = await blocksOf(p('보통 굵게', { boldAt: [3, 4] }));
  expect(block).toMatchObject({ spans: [{ text: '보통 ' }, { text: '굵게', bold: true }] });
});

describe('tables', () => {
  test('are made of cells by their places, with merged ones and a caption', async () => {
    const cells = [
      { at: [0, 0, 2003, 500] as const, content: [p('머리')] },
      { at: [0, 500, 1000, 500] as const, content: [p('왼쪽')] },
      // Edges of neighbours that are nearly the same are one.
      { at: [1002, 500, 1000, 500] as const, content: [p('오른쪽'), p([table([['안', '쪽']])])] },
    ];
    const blocks = await blocksOf(p([box(0, cells, [p('표 1. 예산')])]));
    expect(blocks).toMatchObject([
      {
        type: 'table',
        page: 1,
        rows: 2,
        columns: 2,
        caption: [{ text: '표 1. 예산' }],
        cells: [
          { row: 0, column: 0, columnSpan: 2 },
          { row: 1, column: 0 },
          { row: 1, column: 1, blocks: [{ type: 'paragraph' }, { type: 'table', rows: 1, columns: 2 }] },
        ],
      },
    ]);
  });

  test('cells on one place are text without a table, with a warning', async () => {
    const at = [0, 0, 1000, 500] as const;
    const { blocks, warnings } = await read({
      paragraphs: [
        p([
          box(0, [
            { at, content: [p('하나')] },
            { at, content: [p('둘')] },
          ]),
        ]),
      ],
    });
    expect(brief(blocks)).toEqual(['p 하나', 'p 둘']);
    expect(warnings).toMatchObject([{ code: 'table_damaged' }]);
  });
});

test('frames, equations, pictures and drawings give what is written in them', async () => {
  const frame = box(1, [{ at: [0, 0, 1000, 500], content: [p('상자 안의 글')] }], [], false);
  const equation = box(2, [{ at: [0, 0, 1000, 500], content: [p('x over 2')] }]);
  const shapes = drawing(
    { at: [0, 900], text: [p('아래')] },
    {
      at: [0, 0],
      children: [
        { at: [500, 0], text: [p('오른쪽')] },
        { at: [0, 0], text: [p('왼쪽')] },
      ],
    },
  );
  const blocks = await blocksOf(p([frame]), p([equation]), p([image(p('그림 설명'))]), p([shapes]), p([image()]));
  expect(blocks).toMatchObject([
    { type: 'paragraph', spans: [{ text: '상자 안의 글' }] },
    { type: 'equation', latex: String.raw`\frac{x}{2}` },
    { type: 'image', caption: [{ text: '그림 설명' }] },
    { type: 'paragraph', spans: [{ text: '왼쪽' }] },
    { type: 'paragraph', spans: [{ text: '오른쪽' }] },
    { type: 'paragraph', spans: [{ text: '아래' }] },
    { type: 'image' },
  ]);
});

test('notes, comments, headers and footers stand where they belong', async () => {
  const document = await read({
    paragraphs: [
      p([
        margin('header', p('머리말')),
        margin('footer', p([autoNumber(0, 3), ' 쪽'])),
        '글',
        note('footnote', 1, p([autoNumber(1, 1), ' 각주의 글'])),
        note('endnote', 1, p('미주의 글')),
        comment(p('숨은 설명')),
      ]),
      p([margin('header', p('머리말')), '다음 글']),
    ],
  });
  const text = document.blocks.find(({ type }) => type === 'paragraph');
  expect(text).toMatchObject({
    spans: [{ text: '글' }, { text: '1)', note: 'footnote-1' }, { text: '1)', note: 'endnote-1' }],
  });
  const others = document.blocks.filter(({ type }) => type !== 'paragraph');
  expect(others).toMatchObject([
    { type: 'header' },
    { type: 'footer', blocks: [{ spans: [{ text: '쪽' }] }] },
    { kind: 'comment', hidden: true },
    { kind: 'footnote', marker: '1)', blocks: [{ spans: [{ text: '각주의 글' }] }] },
    { kind: 'endnote', blocks: [{ spans: [{ text: '미주의 글' }] }] },
  ]);
});

test('numbers of the outline are headings with the mark that their shape gives', async () => {
  const blocks = await blocksOf(
    p([outline(3, 0, [2]), ' 총칙']),
    p([outline(3, 1, [2, 3]), ' 목적']),
    p([outline(1, 2, [1, 2, 3]), ' 범위']),
    p([outline(5, 2, [1, 1, 4]), ' 정의']),
  );
  expect(blocks.map((block) => (block.type === 'heading' ? [block.level, block.marker] : block.type))).toEqual([
    [1, 'II.'],
    [2, '다.'],
    [3, '1.2.3.'],
    [3, '(4)'],
  ]);
});

test('styles that are named as headings make them', async () => {
  const { blocks } = await read({ paragraphs: [p('제목이다', { style: 1 })], styles: ['Normal', 'Heading 2'] });
  expect(blocks).toMatchObject([{ type: 'heading', level: 2 }]);
});

test('letters that are not known are counted', async () => {
  const { blocks, warnings } = await read({ paragraphs: [p(['가', 0x7fff, 0x7ffe, '나'])] });
  expect(brief(blocks)).toEqual(['p 가나']);
  expect(warnings).toMatchObject([
    { code: 'letters_unknown', message: expect.stringContaining('2 letters') as string },
  ]);
});

test('only wanted pages are given', async () => {
  const paragraphs = [p('하나', { lines: [false] }), p('둘', { lines: [true] })];
  const { blocks, pages } = await read({ paragraphs }, { pages: new Set([2]) });
  expect([brief(blocks), pages.map(({ number }) => number)]).toEqual([['p 둘'], [2]]);
});

test('a password, an older version and a file that was cut are told', async () => {
  await expect(read({ paragraphs: [], encrypted: true })).rejects.toMatchObject({ code: 'ENCRYPTED' });
  await expect(readDocument(signature, 'a.hwp', options)).rejects.toMatchObject({ code: 'CORRUPTED' });
  const older = Buffer.from('HWP Document File V2.10 \x1a\x01\x02\x03\x04\x05', 'latin1');
  await expect(readDocument(older, 'a.hwp', options)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const whole = writeHwp3({ paragraphs: [p('앞의 글이다.'), p('뒤의 글이다.')], compressed: false });
  const { blocks, warnings } = await readDocument(whole.subarray(0, -100), 'a.hwp', options);
  expect(brief(blocks)).toEqual(['p 앞의 글이다.']);
  expect(warnings).toMatchObject([{ code: 'file_damaged' }]);
});
