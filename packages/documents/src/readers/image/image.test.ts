import { beforeAll, describe, expect, test } from 'vitest';
import { jpegOf, pngHeader, pngOf, scanned, tiffOf, wrapped } from '../../../test/scan/index.ts';
import { type Block, type Document, textOf } from '../../document.ts';
import { type GreyImage, orientedImage } from '../../ocr/grey.ts';
import { straightenedImage } from '../../ocr/skew.ts';
import { type OcrOptions, standardLimits } from '../../reader.ts';
import { blockText, rowTexts } from '../../render/text.ts';
import { sniffFormat } from '../../sniff.ts';
import { readImage } from './index.ts';

/** Recognition takes seconds, on a machine that has other work too. */
const SLOW_MS = 90_000;
const both: OcrOptions = { mode: 'auto', languages: ['kor', 'eng'] };

const read = async (
  bytes: Uint8Array,
  { ocr = both, pages = null as ReadonlySet<number> | null } = {},
): Promise<Document> => {
  expect(sniffFormat(bytes)).toBe('image');
  return readImage(bytes, { limits: standardLimits, pages, ocr, onPage: () => undefined });
};

const wordsOf = ({ blocks }: Document) => blocks.map(blockText).join('\n');

/** Letters that must be changed, put in or left out, to the length of the truth. Blanks count once. */
function errorRate(found: string, truth: string): number {
  const [one, other] = [found, truth].map((text) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()) as [
    string,
    string,
  ];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++)
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]! / other.length;
}

const korean =
  '이 규정은 공공기관의 정보화 사업을 효율적으로 추진하기 위하여 필요한 사항을 정하는 것을 목적으로 한다. 사업의 예산은 총 3,450,000원을 넘을 수 없으며, 매년 12월 31일까지 다음 연도의 계획을 수립하여 제출하여야 한다.';
const english =
  'Large organisations keep most of what they know in documents: reports, minutes, contracts and manuals. Reading them well is the first step of every system that answers questions about them.';
const paragraph = (lines: readonly string[], x: number, y: number) =>
  lines.map((text, at) => ({ x, y: y + at * 17, text }));

describe('pictures', () => {
  let report: GreyImage;
  let note: GreyImage;

  beforeAll(async () => {
    report = await scanned({
      height: 320,
      lines: [
        { x: 60, y: 60, text: '제1장 총칙', size: 18 },
        ...paragraph(wrapped(korean, 470), 60, 100),
        ...paragraph(wrapped(english, 470), 60, 180),
        { x: 66, y: 257, text: '구분' },
        { x: 166, y: 257, text: '수량' },
        { x: 66, y: 281, text: '서버' },
        { x: 166, y: 281, text: '12' },
      ],
      rules: [
        ...[240, 265, 289].map((y) => [60, y, 260, y] as const),
        ...[60, 160, 260].map((x) => [x, 240, x, 289] as const),
      ],
    });
    note = await scanned({ width: 400, height: 90, lines: [{ x: 40, y: 40, text: '회의는 오후 3시에 시작한다.' }] });
  }, SLOW_MS);

  test(
    'Korean and English are recognised, with headings, paragraphs and ruled tables',
    async () => {
      const document = await read(tiffOf([report]));
      const [heading, first, second, table] = document.blocks;
      expect(document).toMatchObject({ format: 'image', pages: [{ number: 1, recognised: true }], warnings: [] });
      expect(document.pages[0]!.width).toBeCloseTo(595, 0);
      expect(document.blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'paragraph', 'table']);
      expect(heading).toMatchObject({ level: 1, marker: '제1장', spans: [{ text: '제1장 총칙' }] });
      expect(errorRate(blockText(first!), korean)).toBeLessThan(0.05);
      expect(errorRate(blockText(second!), english)).toBeLessThan(0.03);
      expect(table).toMatchObject({ rows: 2, columns: 2 });
      const cells = table?.type === 'table' ? table.cells : [];
      expect(cells.map(({ blocks }) => blocks.map(blockText).join(' '))).toEqual(['구분', '수량', '서버', '12']);
    },
    SLOW_MS,
  );

  test(
    'blocks say where they are, and how clear they were',
    async () => {
      const { blocks } = await read(tiffOf([note]));
      const [block] = blocks as [Block];
      expect(block.confidence).toBeGreaterThan(0.7);
      expect(block.confidence).toBeLessThanOrEqual(1);
      expect(block.box!.x).toBeCloseTo(40, -1);
      expect(block.box!.y + block.box!.height).toBeCloseTo(42, -1);
    },
    SLOW_MS,
  );

  test(
    'columns are read one after the other',
    async () => {
      const column = (words: string) => Array.from({ length: 6 }, () => words);
      const page = await scanned({
        width: 480,
        height: 200,
        lines: [
          ...paragraph(column('the left column of words'), 40, 50),
          ...paragraph(column('a second one on the right'), 260, 50),
        ],
      });
      const text = wordsOf(await read(pngOf(page)));
      expect(text.lastIndexOf('left column')).toBeGreaterThan(0);
      expect(text.lastIndexOf('left column')).toBeLessThan(text.indexOf('second one'));
    },
    SLOW_MS,
  );

  test(
    'every page of a TIFF file, or those that are wanted, of one bit a pixel too',
    async () => {
      const other = await scanned({ width: 400, height: 90, lines: [{ x: 40, y: 40, text: 'The second page.' }] });
      const file = tiffOf([note, other], { bits: 1 });
      const all = await read(file);
      expect(all.pages.map(({ number }) => number)).toEqual([1, 2]);
      expect(wordsOf(all)).toMatch(/3시에[^]*second page/);
      const second = await read(file, { pages: new Set([2]) });
      expect(second.blocks.map(({ page }) => page)).toEqual([2]);
    },
    SLOW_MS,
  );

  test(
    'pages that no time is left for are told, those before them given',
    async () => {
      const { pages, warnings } = await read(tiffOf([note, note, note]), { ocr: { ...both, timeMs: 0 } });
      expect(pages.map(({ number }) => number)).toEqual([1]);
      expect(warnings.map(({ code, page }) => [code, page])).toEqual([
        ['page_without_text', 2],
        ['page_without_text', 3],
      ]);
    },
    SLOW_MS,
  );

  test(
    'TIFF files are read however they are packed, or refused with what to do',
    async () => {
      for (const packed of ['deflate', 'jpeg'] as const)
        expect(wordsOf(await read(tiffOf([note, note], { packed })))).toMatch(/^회의는 오후 .*\n회의는 오후 /);
      const unknown = tiffOf([note], { packed: 'deflate' });
      unknown.writeUInt16LE(34_712, unknown.indexOf(Buffer.from([3, 1, 3, 0, 1, 0, 0, 0, 8, 0])) + 8);
      await expect(read(unknown)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    },
    SLOW_MS,
  );

  test(
    'tables of figures: rows parted by dots, words whose letters are set apart, and the sign of what is less than nothing',
    async () => {
      const rows = [
        ['66.8', '(△21.4)', '62.8', '(△6.1)'],
        ['63.2', '(13.2)', '42.9', '(△32.2)'],
      ] as const;
      const figures = rows.flatMap(([one, below, other, under], at) => [
        { x: 150, y: 78 + at * 40, text: one },
        { x: 150, y: 98 + at * 40, text: below },
        { x: 250, y: 78 + at * 40, text: other },
        { x: 250, y: 98 + at * 40, text: under },
      ]);
      const page = await scanned({
        width: 400,
        height: 180,
        lines: [
          ...['구', '분'].map((text, at) => ({ x: 50 + at * 66, y: 55, text })),
          { x: 150, y: 55, text: '1분기' },
          { x: 250, y: 55, text: '2분기' },
          ...['제', '조', '업'].map((text, at) => ({ x: 50 + at * 33, y: 89, text })),
          ...['부', '동', '산'].map((text, at) => ({ x: 50 + at * 33, y: 129, text })),
          ...figures,
        ],
        rules: [
          ...[40, 62, 102, 142].map((y) => [45, y, 340, y] as const),
          ...[45, 140, 240, 340].map((x) => [x, 40, x, 142] as const),
        ],
        dottedRules: [82, 122].map((y) => [140, y, 340, y] as const),
      });
      const { blocks } = await read(pngOf(page));
      const tables = blocks.filter((block) => block.type === 'table');
      expect(tables.flatMap((table) => rowTexts(table))).toEqual([
        '구 분\t1분기\t2분기',
        '제 조 업\t66.8\t62.8',
        '\t(△21.4)\t(△6.1)',
        '부 동 산\t63.2\t42.9',
        '\t(13.2)\t(△32.2)',
      ]);
    },
    SLOW_MS,
  );

  test(
    'photographs are turned as they say, and pages that lie on their side as their text says',
    async () => {
      const sentence = english.slice(0, english.indexOf('.') + 1);
      const wide = await scanned({
        width: 420,
        height: 100,
        lines: paragraph(wrapped(sentence, 380, 10), 20, 40).map((line) => ({ ...line, size: 10 })),
      });
      const said = await read(jpegOf(orientedImage(wide, 8), 6));
      expect(errorRate(wordsOf(said), sentence)).toBeLessThan(0.05);
      expect(said.pages[0]!.width!).toBeGreaterThan(said.pages[0]!.height!);
      const unsaid = await read(pngOf(orientedImage(wide, 8)));
      expect(errorRate(wordsOf(unsaid), sentence)).toBeLessThan(0.05);
      // Its places are those on the picture as it lies: what begins at the left begins at the foot.
      const [page, box] = [unsaid.pages[0]!, unsaid.blocks[0]!.box!];
      expect(page.width! / page.height!).toBeCloseTo(100 / 420, 2);
      expect(box.x / page.width!).toBeCloseTo(0.31, 1);
      expect((page.height! - box.y - box.height) / page.height!).toBeCloseTo(20 / 420, 1);
      expect(box.height).toBeGreaterThan(5 * box.width);
    },
    SLOW_MS,
  );

  test(
    'light letters on a dark page, small ones, and leaning ones',
    async () => {
      const dark = { ...note, data: note.data.map((grey) => 255 - grey) };
      expect(errorRate(wordsOf(await read(pngOf(dark))), '회의는 오후 3시에 시작한다.')).toBeLessThan(0.1);
      const leaning = straightenedImage(note, -2);
      expect(errorRate(wordsOf(await read(pngOf(leaning))), '회의는 오후 3시에 시작한다.')).toBeLessThan(0.1);
      const small = await scanned({
        width: 300,
        height: 60,
        lines: [{ x: 20, y: 30, size: 4, text: english.slice(0, 79) }],
      });
      expect(errorRate(wordsOf(await read(pngOf(small))), english.slice(0, 79))).toBeLessThan(0.05);
    },
    SLOW_MS,
  );

  test('what is too large is refused before it is decoded', async () => {
    await expect(read(pngHeader(60_000, 60_000))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(read(pngHeader(40_000, 10))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(read(tiffOf([note], { declared: 60_000 }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test(
    'damaged files are refused, wherever they are cut, and the next one is read',
    async () => {
      for (const file of [pngOf(note), jpegOf(note), tiffOf([note])])
        for (const share of [0.001, 0.01, 0.5])
          await expect(read(file.subarray(0, Math.max(16, file.length * share)))).rejects.toMatchObject({
            code: 'CORRUPTED',
          });
      await expect(read(pngOf(note))).resolves.toMatchObject({ format: 'image' });
    },
    SLOW_MS,
  );

  test('no text, or recognition that is turned off, is told', async () => {
    const blank = pngOf({ width: 400, height: 300, data: new Uint8Array(400 * 300).fill(255) });
    await expect(read(blank)).rejects.toMatchObject({
      code: 'NEEDS_OCR',
      message: expect.stringContaining('No text') as string,
    });
    await expect(read(blank, { ocr: { mode: 'off', languages: [] } })).rejects.toMatchObject({
      code: 'NEEDS_OCR',
      message: expect.stringContaining('turned off') as string,
    });
  });

  test(
    'one language alone',
    async () => {
      const { blocks } = await read(pngOf(note), { ocr: { mode: 'auto', languages: ['kor'] } });
      expect(blocks.map((block) => (block.type === 'paragraph' ? textOf(block.spans) : ''))).toEqual([
        '회의는 오후 3시에 시작한다.',
      ]);
    },
    SLOW_MS,
  );
});
