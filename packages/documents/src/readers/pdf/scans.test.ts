import { beforeAll, describe, expect, test } from 'vitest';
import { scanned, scannedPdf } from '../../../test/scan/index.ts';
import type { GreyImage } from '../../ocr/grey.ts';
import { type OcrOptions, standardLimits } from '../../reader.ts';
import { blockText } from '../../render/text.ts';
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
