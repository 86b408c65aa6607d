import { beforeAll, describe, expect, test } from 'vitest';
import { coarser, noisy, scanned, scannedPdf, tiffOf } from '../../../test/scan/index.ts';
import type { Block } from '../../document.ts';
import type { GreyImage } from '../../ocr/grey.ts';
import { straightenedImage } from '../../ocr/skew.ts';
import { type OcrOptions, standardLimits } from '../../reader.ts';
import { formFieldsOf } from '../../render/form-fields.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { blockText } from '../../render/text.ts';
import { readImage } from '../image/index.ts';
import { readPdf } from './index.ts';

const SLOW_MS = 90_000;
const languages: OcrOptions['languages'] = ['kor', 'eng'];

async function read(bytes: Uint8Array, mode: OcrOptions['mode'] = 'auto', timeMs = Infinity) {
  const told: number[] = [];
  const document = await readPdf(bytes, {
    limits: standardLimits,
    pages: null,
    ocr: { mode, languages, timeMs },
    onPage: (done) => told.push(done),
  });
  return { ...document, told, text: document.blocks.map(blockText) };
}

describe('scanned forms', () => {
  let page: GreyImage;

  beforeAll(async () => {
    page = await scanned({
      lines: [
        { x: 72, y: 100, text: '신청인은 다음 가운데 해당하는 것에 표시하여야 한다.' },
        { x: 72, y: 140, text: '구분' },
        { x: 134, y: 140, text: '신규 신청' },
        { x: 224, y: 140, text: '계속 신청' },
        { x: 80, y: 216, text: '항목' },
        { x: 180, y: 216, text: '상태' },
        { x: 80, y: 240, text: '동의함' },
        { x: 88, y: 310, text: '추진 배경은 이렇게 한 줄로 적혀 있다.' },
      ],
      rules: [
        ...[200, 224, 248].map((y) => [72, y, 322, y] as const),
        ...[72, 172, 322].map((x) => [x, 200, x, 248] as const),
      ],
      boxes: [
        { x: 120, y: 131, side: 9 },
        { x: 210, y: 131, side: 9, mark: 'tick' },
        { x: 182, y: 231, side: 10, mark: 'cross' },
        // A bullet of Korean documents.
        { x: 72, y: 301, side: 9 },
      ],
    });
  }, SLOW_MS);

  /** Where a place of the page comes to lie that leans to the right by so many degrees: what holds it there. */
  const leaning = ([x0, y0, x1, y1]: readonly [number, number, number, number], degrees: number) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [cx, cy] = [595 / 2, 842 / 2];
    const corners = [x0, x1].flatMap((x) =>
      [y0, y1].map((y) => [cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos] as const),
    );
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  const edgesOf = (box: Block['box']) =>
    box === undefined ? [] : [box.x, box.y, box.x + box.width, box.y + box.height];

  const worn = (image: GreyImage, dotsPerInch: number) => noisy(coarser(image, dotsPerInch), 24, 40_000);
  /** The upper part of the page alone, as a picture. */
  const picture = async (dotsPerInch: number) => {
    const height = Math.round((330 * 300) / 72);
    const upper = { ...page, height, data: page.data.subarray(0, height * page.width) };
    const bytes = tiffOf([worn(upper, dotsPerInch)], { dotsPerInch });
    const ocr = { mode: 'auto', languages } as const;
    return readImage(bytes, { limits: standardLimits, pages: null, ocr, onPage: () => undefined });
  };

  test.each([
    ['leaning, in a PDF file', 1, async () => read(scannedPdf([worn(straightenedImage(page, -1), 150)]))],
    ['in a picture', 0, async () => picture(200)],
  ])(
    'have their boxes to tick, and the places of them and of cells: %s',
    async (_, degrees, readPage) => {
      const { blocks } = await readPage();
      const markdown = renderMarkdown(blocks);
      expect(markdown).toMatch(/☐\s?신규\s?신청\s+☑\s?계속\s?신청/u);
      expect(markdown.match(/[☐☑]/gu)).toEqual(['☐', '☑', '☑']);
      expect(markdown).toContain('□ 추진 배경은');
      const fields = blocks.flatMap(formFieldsOf);
      expect(fields).toMatchObject([
        { kind: 'checkbox', label: expect.stringMatching(/^신규/) as string, checked: false },
        { kind: 'checkbox', label: expect.stringMatching(/^계속/) as string, checked: true },
        { kind: 'checkbox', checked: true, row: 1, column: 1 },
      ]);
      const table = blocks.find((block) => block.type === 'table');
      const places = [...fields.map(({ box }) => box), ...(table?.cells ?? []).map(({ box }) => box)].map(edgesOf);
      const truth = [
        [120, 131, 129, 140],
        [210, 131, 219, 140],
        [182, 231, 192, 241],
        [72, 200, 172, 224],
        [172, 200, 322, 224],
        [72, 224, 172, 248],
        [172, 224, 322, 248],
      ] as const;
      expect(places).toHaveLength(truth.length);
      for (const [at, edges] of truth.entries())
        for (const [side, edge] of leaning(edges, degrees).entries())
          expect(Math.abs(places[at]![side]! - edge), `edge ${side} of place ${at}`).toBeLessThan(2);
    },
    SLOW_MS,
  );
});

describe('scanned pages', () => {
  let page: GreyImage;
  let empty: GreyImage;

  beforeAll(async () => {
    page = await scanned({
      lines: [
        { x: 72, y: 90, text: '제2조 정의', size: 15 },
        { x: 72, y: 120, text: '정보시스템이란 정보의 수집과 검색에 쓰이는 기기를 말한다.' },
      ],
    });
    empty = { width: 40, height: 60, data: new Uint8Array(2_400).fill(255) };
  }, SLOW_MS);

  test(
    'are recognised among pages with text, which are left alone',
    async () => {
      const document = await read(scannedPdf(['The first page has text.', page]));
      expect(document.pages).toEqual([
        { number: 1, width: 595, height: 842 },
        { number: 2, width: 594.96, height: 841.92, recognised: true },
      ]);
      expect(document.text).toEqual([
        'The first page has text.',
        '제2조 정의',
        '정보시스템이란 정보의 수집과 검색에 쓰이는 기기를 말한다.',
      ]);
      expect(document.blocks.map(({ confidence }) => confidence !== undefined)).toEqual([false, true, true]);
      expect(document.blocks[1]).toMatchObject({ type: 'heading', page: 2 });
      expect(document.warnings).toEqual([]);
      expect(document.told).toEqual([1, 2]);
    },
    SLOW_MS,
  );

  test(
    'are left out with a warning where recognition is off; documents of them alone are refused',
    async () => {
      const mixed = await read(scannedPdf(['The first page has text.', page]), 'off');
      expect(mixed.warnings.map(({ code, page: at }) => [code, at])).toEqual([['page_without_text', 2]]);
      await expect(read(scannedPdf([page]), 'off')).rejects.toMatchObject({ code: 'NEEDS_OCR' });
    },
    SLOW_MS,
  );

  test('that no time is left for are told', async () => {
    const document = await read(scannedPdf(['The first page has text.', page]), 'auto', 0);
    expect(document.warnings).toMatchObject([{ code: 'page_without_text', page: 2 }]);
    expect(document.warnings[0]?.message).toMatch(/time/);
  });

  test(
    'that are empty lack nothing',
    async () => {
      const document = await read(scannedPdf(['The first page has text.', empty]));
      expect(document.warnings).toEqual([]);
      await expect(read(scannedPdf([empty]))).resolves.toMatchObject({ blocks: [{ type: 'image' }] });
    },
    SLOW_MS,
  );

  test(
    'every page is recognised where that is wanted, whatever text it has',
    async () => {
      const document = await read(scannedPdf(['The first page has text.']), 'all');
      expect(document.pages).toMatchObject([{ recognised: true }]);
      expect(document.text).toEqual(['The first page has text.']);
    },
    SLOW_MS,
  );
});
