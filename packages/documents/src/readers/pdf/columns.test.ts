import { expect, test } from 'vitest';
import { type PdfPage, PdfWriter } from '../../../test/pdf.ts';
import type { Block, Table } from '../../document.ts';
import { renderText } from '../../render/text.ts';
import { standardLimits } from '../../reader.ts';
import { readPdf } from './index.ts';

async function blocksOf(make: (page: PdfPage) => void): Promise<readonly Block[]> {
  const pdf = new PdfWriter();
  make(pdf.page());
  return (await readPdf(pdf.bytes(), { limits: standardLimits, pages: null, onPage: () => undefined })).blocks;
}
const sentences = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}째 줄에 적은 글은 단을 채운다`);
const optionsIn = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.type === 'list' ? block.items : [])).filter(({ marker }) => /[①-⑳]/.test(marker));

const answers = ['공개성의 원칙', '완전성의 원칙', '비밀성의 원칙', '통일성의 원칙', '한정성의 원칙'];

test('options beside each other stand in the order of their numbers, by rows and by columns, in both columns of a page', async () => {
  const blocks = await blocksOf((page) => {
    for (const [side, x] of [56, 316].entries()) {
      page.text(x, 120, `${side + 1}. 예산의 원칙이 아닌 것은?`).lines(x, 136, sentences(`보기${side}`, 3));
      for (const [at, answer] of answers.slice(0, 4).entries()) {
        const [row, column] = side === 0 ? [at >> 1, at & 1] : [at & 1, at >> 1];
        page.text(x + 6 + column * 110, 186 + row * 16, `${'①②③④'[at]} ${answer}`, { size: 9 });
      }
      page.lines(x, 230, sentences(`뒤${side}`, 4));
    }
  });
  expect(optionsIn(blocks).map(({ marker, level }) => `${marker}${level}`)).toEqual([
    '①0',
    '②0',
    '③0',
    '④0',
    '①0',
    '②0',
    '③0',
    '④0',
  ]);
  const text = renderText(blocks);
  const order = ['1. 예산', '보기0 2째', '④ 통일성', '뒤0 3째', '2. 예산', '보기1 2째', '④ 통일성', '뒤1 3째'];
  let last = -1;
  for (const part of order) {
    const at = text.indexOf(part, last + 1);
    expect(at, part).toBeGreaterThan(last);
    last = at;
  }
  expect(blocks.some(({ type }) => type === 'heading')).toBe(false);
});

test('an option goes on in the line below it, and five of them fill two rows', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('글', 3));
    for (const [at, answer] of answers.entries()) {
      const [x, y] = [62 + (at % 3) * 150, 180 + (at > 2 ? 32 : 0)];
      page.text(x, y, `${'①②③④⑤'[at]} ${answer}`).text(x + 15, y + 14, `끝 ${at}`);
    }
  });
  expect(optionsIn(blocks).map(({ spans }) => spans.map(({ text }) => text).join(''))).toEqual(
    answers.map((answer, at) => `${answer} 끝 ${at}`),
  );
});

test('paragraphs of a law that are numbered so stay where they are', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(
      56,
      120,
      ['① 왼쪽 단의 첫째 항은 이렇게 길게 적혀 있다.', '② 왼쪽 단의 둘째 항도 이렇게 길게 적혀 있다.'],
      { size: 9, pitch: 14 },
    );
    page.lines(316, 120, ['③ 오른쪽 단의 셋째 항은 이렇게 길게 적혀.', '④ 오른쪽 단의 넷째 항은 이렇게 길게 적혀.'], {
      size: 9,
      pitch: 14,
    });
    page.lines(56, 160, sentences('왼', 6)).lines(316, 160, sentences('오', 6));
  });
  expect(renderText(blocks).replaceAll(/[^①-④왼오]/gu, '')).toMatch(/^①왼②왼.*③오④오/);
});

test.each([
  ['against the clock', 90],
  ['with the clock', -90],
])('a table on its side, turned %s, is read as it is by who turns the page', async (_name, angle) => {
  const rows = [
    ['사업 A', 'B안', 'C안'],
    ['도로 1호', '120', '135'],
    ['하천 2호', '80', '75'],
    ['공원 3호', '45', '60'],
  ];
  const blocks = await blocksOf((page) => {
    page.lines(56, 110, sentences('앞', 8));
    const [x, y, width, height] = [140, 260, 26, 80];
    for (let row = 0; row <= rows.length; row++) page.line(x + row * width, y, x + row * width, y + 3 * height);
    for (let at = 0; at <= 3; at++) page.line(x, y + at * height, x + rows.length * width, y + at * height);
    for (const [row, texts] of rows.entries())
      for (const [at, text] of texts.entries())
        if (angle > 0) page.text(x + row * width + 17, y + (3 - at) * height - 6, text, { size: 9, angle });
        else page.text(x + (rows.length - row) * width - 17, y + at * height + 6, text, { size: 9, angle });
    page.lines(56, 540, sentences('뒤', 4));
  });
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'table', 'paragraph']);
  const table = blocks[1] as Table;
  expect(renderText([table])).toBe(rows.map((row) => row.join('\t')).join('\n'));
  expect(table).toMatchObject({ headerRows: 1, box: { x: 140, y: 260, width: 104, height: 240 } });
  // The upper left cell, as it is read, stands below or above on the page.
  const first = angle > 0 ? { x: 140, y: 420 } : { x: 218, y: 260 };
  expect(table.cells[0]?.box).toEqual({ ...first, width: 26, height: 80 });
});

test('the last line of a paragraph over the whole width does not begin the column below it', async () => {
  const blocks = await blocksOf((page) => {
    const wide = '쪽의 너비를 다 채우는 문단은 두 단 위에 있고 두 줄로 되어 있으며 마지막 줄은 짧게 끝나서';
    page.text(56, 130, wide).text(56, 145, '여기까지이다.');
    page.lines(56, 170, sentences('왼', 6)).lines(316, 170, sentences('오', 6));
  });
  expect(renderText(blocks.slice(0, 1)).replaceAll(/\s/g, '')).toMatch(/끝나서여기까지이다\.$/);
  expect(renderText(blocks).replaceAll(/[^왼오]/gu, '')).toBe('왼'.repeat(6) + '오'.repeat(6));
});

test('first lines of columns at the top of a page are text and no header', async () => {
  const blocks = await blocksOf((page) => {
    page.text(56, 90, '왼쪽 단의 첫째 줄이다.').lines(56, 114, sentences('왼', 6));
    page.text(316, 90, '오른쪽 단의 첫째 줄이다.').lines(316, 114, sentences('오', 6));
  });
  expect(renderText(blocks).replaceAll(/[^왼오]/gu, '')).toMatch(/^왼+오+$/);
});

/** Which column a text is of, letter by letter, without repetitions. */
const sidesOf = (blocks: readonly Block[]) =>
  renderText(blocks)
    .replaceAll(/[^왼오]/gu, '')
    .replaceAll(/(.)\1+/gu, '$1');

test('columns are read one after the other where blanks of justified lines are as wide as the white between them', async () => {
  const blocks = await blocksOf((page) => {
    for (let row = 0; row < 8; row++)
      for (const [side, x] of [
        ['왼', 56],
        ['오', 316],
      ] as const)
        // Words of other lengths in each line, and no line without wide blanks.
        for (let at = 0, left = x; at < 5; at++) {
          const word = side.repeat(3 + ((row + at) % 3));
          page.text(at === 4 ? x + 238 - word.length * 10 : left, 120 + row * 15, word);
          left += word.length * 10 + 9 + ((row + at) % 2);
        }
  });
  expect(sidesOf(blocks)).toBe('왼오');
});

test('a frame with text is a column beside lines of text', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('왼', 20));
    page.table(316, 108, [238], [['']], 90).lines(
      322,
      124,
      sentences('오', 4).map((line) => line.slice(0, 20)),
    );
  });
  expect(sidesOf(blocks)).toBe('왼오');
});

test('a picture that reaches into the white between columns does not join them', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('왼', 3)).image(60, 170, 252, 120).lines(56, 310, sentences('왼', 5));
    page.lines(316, 120, sentences('오', 18));
  });
  expect(sidesOf(blocks)).toBe('왼오');
});

test('small pictures in rows are read by their rows', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('앞', 3));
    for (let at = 0; at < 6; at++) page.image(56 + (at % 3) * 68, 180 + (at < 3 ? 0 : 66), 64, 60);
    page.lines(56, 330, sentences('뒤', 3));
  });
  const places = blocks.flatMap((block) => (block.type === 'image' ? [[block.box?.y, block.box?.x]] : []));
  expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  expect(places).toHaveLength(6);
});

test('what stands below a frame in one column, and beside the end of the other, is no footer', async () => {
  const blocks = await blocksOf((page) => {
    page.lines(56, 120, sentences('왼', 36)).fill(56, 660, 230, 72, [0.9, 0.9, 0.9]);
    page.table(56, 660, [230], [['']], 72).lines(
      62,
      680,
      sentences('왼', 3).map((line) => line.slice(0, 19)),
      { pitch: 18 },
    );
    page.text(56, 748, '왼쪽 단의 마지막 문단이 여기에서').text(56, 762, '왼쪽 단과 함께 끝난다.');
    page.lines(316, 120, sentences('오', 36)).text(350, 748, '오른쪽 그림의 이름');
  });
  expect(sidesOf(blocks)).toBe('왼오');
});

test('lines two apart with white behind them are text at the top of a page, and a title beside a table is', async () => {
  const set = (page: PdfPage, x: number, y: number, lines: readonly string[]) => {
    for (const [at, line] of lines.entries())
      page.fill(x - 2, y + at * 21 - 12, 244, 21, [1, 1, 1]).text(x, y + at * 21, line);
  };
  const top = await blocksOf((page) => {
    set(page, 56, 80, sentences('왼', 24));
    page.image(316, 104, 238, 120);
    page.text(316, 80, '오른쪽 단의 첫째 줄이고');
    set(page, 316, 250, sentences('오', 16));
  });
  expect(sidesOf(top)).toBe('왼오');
  const beside = await blocksOf((page) => {
    page.table(
      56,
      70,
      [80, 80, 78],
      [
        ['왼', '왼', '왼'],
        ['왼', '왼', '왼'],
        ['왼', '왼', '왼'],
      ],
      24,
    );
    page.lines(56, 160, sentences('왼', 30));
    page.text(400, 82, '오른쪽 제목').lines(316, 112, sentences('오', 8));
  });
  expect(sidesOf(beside)).toBe('왼오');
});
